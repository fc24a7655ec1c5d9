import { placeKind } from './place-kind.js';
import { useStore } from './service.js';
import './continued-update.js';

useStore(placeKind('azblob'), undefined);
