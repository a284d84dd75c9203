# Where nothing could run, the test says so.
target NAS
test NAS
  0s  NAS has no hooks
