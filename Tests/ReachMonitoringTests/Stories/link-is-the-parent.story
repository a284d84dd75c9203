# The machine loses its default route: dependents of the link are blocked at once.
requests
target Shop depends_on=link hook=down
target Loopback
link up
Shop     r
Loopback r
  1s  Shop unknown→up
  1s  Loopback unknown→up
link down
  1s  Shop blocked: no uplink
  1s  · forget Shop
Shop     x x x
Loopback r r r
show Shop
  Shop: blocked, by link, for 3s, availability unknown, 1 samples
link up
  4s  Shop no longer blocked
  4s  · watch Shop
  4s  · probe Shop now
Shop     r
show Shop
  Shop: up, for 4s, availability 100%, 2 samples
