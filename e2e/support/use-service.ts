// Imported before everything else: the boxes of the test file work through a state service over a bucket.
process.env['CAIRN_E2E_SERVICE'] ??= 'bucket';
