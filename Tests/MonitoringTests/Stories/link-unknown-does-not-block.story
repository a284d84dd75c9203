# As long as nobody knows whether there is a way out, it is asked and judged.
target Shop depends_on=link
Shop r x x x
  1s  Shop unknown→up
  4s  Shop up→down
