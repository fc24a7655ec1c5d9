import { CustomResource } from '@cairn/sdk';
import type { CustomResourceOptions, Output } from '@cairn/sdk';
import type { ArgsOf } from '@cairn/provider-sdk';
import type { commandResource } from './command/command.js';
import type { directoryResource } from './files/directory.js';
import type { fileResource, sensitiveFileResource } from './files/file.js';

/** What a {@link LocalFile} is to be. */
export type LocalFileArgs = ArgsOf<typeof fileResource.inputs>;

/** A file: content given as text or copied from another file. Changed in place; replaced when it moves. */
export class LocalFile extends CustomResource {
  constructor(name: string, args: LocalFileArgs, options?: CustomResourceOptions) {
    super('cairn-local:index:File', name, args, options);
  }

  /** The path as given. */
  get path(): Output<string> {
    return this.outputOf('path');
  }

  /** Permissions, octal. */
  get mode(): Output<string> {
    return this.outputOf('mode');
  }

  /** Bytes in it. */
  get size(): Output<number> {
    return this.outputOf('size');
  }

  /** SHA-256 of the content, hexadecimal; secret when the content is. */
  get hash(): Output<string> {
    return this.outputOf('hash');
  }
}

/** What a {@link LocalSensitiveFile} is to be. */
export type LocalSensitiveFileArgs = ArgsOf<typeof sensitiveFileResource.inputs>;

/** A file whose content is secret, readable by its owner only unless `mode` says otherwise. */
export class LocalSensitiveFile extends CustomResource {
  constructor(name: string, args: LocalSensitiveFileArgs, options?: CustomResourceOptions) {
    super('cairn-local:index:SensitiveFile', name, args, options);
  }

  /** The path as given. */
  get path(): Output<string> {
    return this.outputOf('path');
  }

  /** Permissions, octal. */
  get mode(): Output<string> {
    return this.outputOf('mode');
  }

  /** Bytes in it. */
  get size(): Output<number> {
    return this.outputOf('size');
  }

  /** SHA-256 of the content, hexadecimal, secret. */
  get hash(): Output<string> {
    return this.outputOf('hash');
  }
}

/** What a {@link LocalDirectory} is to be. */
export type LocalDirectoryArgs = ArgsOf<typeof directoryResource.inputs>;

/** A directory, made with its parents; deleted only when it is empty, unless `force` is set. */
export class LocalDirectory extends CustomResource {
  constructor(name: string, args: LocalDirectoryArgs, options?: CustomResourceOptions) {
    super('cairn-local:index:Directory', name, args, options);
  }

  /** The path as given. */
  get path(): Output<string> {
    return this.outputOf('path');
  }

  /** Permissions, octal. */
  get mode(): Output<string> {
    return this.outputOf('mode');
  }
}

/** What a {@link LocalCommand} runs, and when. */
export type LocalCommandArgs = ArgsOf<typeof commandResource.inputs>;

/** Commands run at create, update and delete. `customTimeouts` limits how long each may take. */
export class LocalCommand extends CustomResource {
  constructor(name: string, args: LocalCommandArgs, options?: CustomResourceOptions) {
    super('cairn-local:index:Command', name, args, options);
  }

  /** What the last create or update wrote; secret when what it was given is. */
  get stdout(): Output<string> {
    return this.outputOf('stdout');
  }

  /** What it complained; secret when what it was given is. */
  get stderr(): Output<string> {
    return this.outputOf('stderr');
  }
}
