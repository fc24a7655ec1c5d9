// Before a package is packed: puts the licence beside its manifest, because npm packs only what lies in the package's
// folder.
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

copyFileSync(path.join(root, 'LICENSE'), path.join(process.cwd(), 'LICENSE'));
