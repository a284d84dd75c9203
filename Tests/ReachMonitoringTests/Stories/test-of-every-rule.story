# A test runs every rule once, and changes neither cooldowns nor `once`.
target NAS hook=up.once hook=down cooldown=1h
NAS xxx
  3s  NAS unknown→down
test NAS
  3s  hook test of NAS
  3s  hook test of NAS
succeed
NAS r xxx
  4s  NAS down→up
  4s  hook up of NAS (down→up)
  7s  NAS up→down
  7s  hook down of NAS (up→down)
