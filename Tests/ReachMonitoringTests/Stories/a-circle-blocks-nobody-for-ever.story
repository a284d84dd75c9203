# The settings file rejects cycles; a roster ignores the dependencies of a cycle.
target A depends_on=B
target B depends_on=A
A r x x x
B r x x x
  1s  A unknown→up
  1s  B unknown→up
  4s  A up→down
  4s  B up→down
A r
B r
  5s  A down→up
  5s  B down→up
