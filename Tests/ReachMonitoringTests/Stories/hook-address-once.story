# `once` applies to every event.
target NAS hook=address.once
address NAS 192.0.2.5 192.0.2.6
  0s  NAS address 192.0.2.5→192.0.2.6
  0s  hook address of NAS
succeed
address NAS 192.0.2.6 192.0.2.5
  0s  NAS address 192.0.2.6→192.0.2.5
