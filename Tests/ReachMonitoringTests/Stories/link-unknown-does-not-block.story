# While the state of the link is unknown, its dependents are probed and judged.
target Shop depends_on=link
Shop r x x x
  1s  Shop unknown→up
  4s  Shop up→down
