# Three slow replies are degraded, three quick ones up again, and only the hook for degraded runs.
target NAS slow=500ms hook=degraded hook=up
NAS r s s r s s s s r r s r r r
  1s  NAS unknown→up
  7s  NAS up→degraded
  7s  hook degraded of NAS (up→degraded)
  14s  NAS degraded→up
show NAS
  NAS: up, for 0s, availability 100%, 14 samples
