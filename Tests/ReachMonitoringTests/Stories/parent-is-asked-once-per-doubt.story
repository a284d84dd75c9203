# Losses of many children at the same time cause one probe of the parent.
requests
target Switch interval=1m
target A depends_on=Switch
target B depends_on=Switch
target C depends_on=Switch
Switch r
A r x . x x .
B r x . x x .
C r x . x x .
  1s  Switch unknown→up
  1s  A unknown→up
  1s  B unknown→up
  1s  C unknown→up
  2s  · probe Switch now
Switch . . r . . r
  9s  A up→down
  9s  B up→down
  9s  C up→down
  9s  · probe A every 1s, urgent
  9s  · probe B every 1s, urgent
  9s  · probe C every 1s, urgent
