# Nothing leads out of the machine: what depends on that is blocked at once.
requests
target Shop depends_on=link hook=down
target Loopback
link up
Shop     r
Loopback r
  1s  Shop unknown→up
  1s  Loopback unknown→up
link down
  1s  Shop blocked: no way out
  1s  · leave Shop alone
Shop     x x x
Loopback r r r
show Shop
  Shop: blocked, by link, for 3s, availability unknown, 1 samples
link up
  4s  Shop no longer blocked
  4s  · watch Shop
  4s  · ask Shop at once
Shop     r
show Shop
  Shop: up, for 4s, availability 100%, 2 samples
