# Nagios counts warnings: changes between up and degraded count too.
target NAS slow=500ms hook=degraded
NAS r s s s r r r s s s r r r s s s r r r s s s r r r
  1s  NAS unknown→up
  4s  NAS up→degraded
  4s  hook degraded of NAS (up→degraded)
  7s  NAS degraded→up
  10s  NAS up→degraded
  10s  hook degraded of NAS (up→degraded)
  13s  NAS degraded→up
  16s  NAS up→degraded
  16s  hook degraded of NAS (up→degraded)
  19s  NAS degraded→up
  19s  NAS flaps, 36%
  22s  NAS up→degraded
  25s  NAS degraded→up
show NAS
  NAS: up, flapping, for 0s, availability 100%, 25 samples
