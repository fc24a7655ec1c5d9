import { defineProvider } from '@cairn/provider-sdk';
import { commandResource } from './command/command.js';
import { directoryResource } from './files/directory.js';
import { fileResource, sensitiveFileResource } from './files/file.js';

/** The package `cairn-local`. */
export const localProvider = defineProvider({
  name: 'cairn-local',
  version: '0.1.0',
  description: 'Files, directories and commands on the machine that runs Cairn.',
  resources: {
    'index:Command': commandResource,
    'index:Directory': directoryResource,
    'index:File': fileResource,
    'index:SensitiveFile': sensitiveFileResource,
  },
});
