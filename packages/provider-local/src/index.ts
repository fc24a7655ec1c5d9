/** Files, directories and commands on this machine as resources. */
export { LocalCommand, LocalDirectory, LocalFile, LocalSensitiveFile } from './classes.js';
export type {
  LocalCommandArgs,
  LocalDirectoryArgs,
  LocalFileArgs,
  LocalSensitiveFileArgs,
} from './classes.js';
