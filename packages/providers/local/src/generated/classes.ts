// Written by tools/provider-classes.mjs from the schema of the provider.
import { CustomResource } from '@cairn/sdk';
import type { CustomResourceOptions, Input, Output } from '@cairn/sdk';
import type * as enums from './enums.js';

/** Commands run at create, update and delete. `customTimeouts` limits how long each may take. */
export class LocalCommand extends CustomResource {
  constructor(name: string, args: LocalCommandArgs, options?: CustomResourceOptions) {
    super('cairn-local:index:Command', name, args, options);
  }

  /** What it complained, line end at the end removed. */
  get stderr(): Output<string> {
    return this.outputOf('stderr');
  }

  /** What the last create or update wrote, line end at the end removed. */
  get stdout(): Output<string> {
    return this.outputOf('stdout');
  }
}

/** What a {@link LocalCommand} is made of. */
export interface LocalCommandArgs {
  /** Run when the resource is created, and when it changes and update is not given. */
  readonly create: Input<string>;
  /** Run when the resource is deleted. */
  readonly delete?: Input<string> | undefined;
  /** Where it is run; default and base: the directory of the program. */
  readonly directory?: Input<string> | undefined;
  /** Variables added to those that Cairn itself has. */
  readonly environment?: Input<{ readonly [key: string]: Input<string> }> | undefined;
  /** What runs the text, which is added as the last argument; a POSIX shell with -c gets it in a variable. Default: a shell. */
  readonly interpreter?: Input<readonly Input<string>[]> | undefined;
  /** What the command reads. */
  readonly stdin?: Input<string> | undefined;
  /** Free values; when one changes, create is run anew and then delete for what was. */
  readonly triggers?: Input<readonly Input<unknown>[]> | undefined;
  /** Run when an input changes. */
  readonly update?: Input<string> | undefined;
}

/** A directory, made with its parents; deleted only when it is empty, unless `force` is set. */
export class LocalDirectory extends CustomResource {
  constructor(name: string, args: LocalDirectoryArgs, options?: CustomResourceOptions) {
    super('cairn-local:index:Directory', name, args, options);
  }

  /** Permissions, octal. */
  get mode(): Output<string> {
    return this.outputOf('mode');
  }

  /** The path as given. */
  get path(): Output<string> {
    return this.outputOf('path');
  }
}

/** What a {@link LocalDirectory} is made of. */
export interface LocalDirectoryArgs {
  /**
   * Delete it with everything in it. Otherwise it is only deleted when it is empty.
   *
   * Default: `false`.
   */
  readonly force?: Input<boolean> | undefined;
  /**
   * Permissions, octal.
   *
   * Default: `0755`.
   */
  readonly mode?: Input<string> | undefined;
  /** Where the directory is; a relative path counts from the program. */
  readonly path: Input<string>;
}

/** A file: content given as text or copied from another file. Changed in place; replaced when it moves. */
export class LocalFile extends CustomResource {
  constructor(name: string, args: LocalFileArgs, options?: CustomResourceOptions) {
    super('cairn-local:index:File', name, args, options);
  }

  /** SHA-256 of the content, hexadecimal; secret when the content is. */
  get hash(): Output<string> {
    return this.outputOf('hash');
  }

  /** Permissions, octal. */
  get mode(): Output<string> {
    return this.outputOf('mode');
  }

  /** The path as given. */
  get path(): Output<string> {
    return this.outputOf('path');
  }

  /** Bytes in it. */
  get size(): Output<number> {
    return this.outputOf('size');
  }
}

/** What a {@link LocalFile} is made of. */
export interface LocalFileArgs {
  /** What is in it. Either this or source. */
  readonly content?: Input<string> | undefined;
  /**
   * How content is to be read.
   *
   * Default: `utf8`.
   */
  readonly encoding?: Input<enums.LocalFileEncoding> | undefined;
  /**
   * Permissions, octal.
   *
   * Default: `0644`.
   */
  readonly mode?: Input<string> | undefined;
  /** Where the file is; a relative path counts from the program. */
  readonly path: Input<string>;
  /** A file whose content is copied. Either this or content. */
  readonly source?: Input<string> | undefined;
}

/** A file whose content is secret, readable by its owner only unless `mode` says otherwise. */
export class LocalSensitiveFile extends CustomResource {
  constructor(name: string, args: LocalSensitiveFileArgs, options?: CustomResourceOptions) {
    super('cairn-local:index:SensitiveFile', name, args, options);
  }

  /**
   * SHA-256 of the content, hexadecimal; secret when the content is.
   *
   * Secret.
   */
  get hash(): Output<string> {
    return this.outputOf('hash');
  }

  /** Permissions, octal. */
  get mode(): Output<string> {
    return this.outputOf('mode');
  }

  /** The path as given. */
  get path(): Output<string> {
    return this.outputOf('path');
  }

  /** Bytes in it. */
  get size(): Output<number> {
    return this.outputOf('size');
  }
}

/** What a {@link LocalSensitiveFile} is made of. */
export interface LocalSensitiveFileArgs {
  /**
   * What is in it. Either this or source.
   *
   * Secret.
   */
  readonly content?: Input<string> | undefined;
  /**
   * How content is to be read.
   *
   * Default: `utf8`.
   */
  readonly encoding?: Input<enums.LocalSensitiveFileEncoding> | undefined;
  /**
   * Permissions, octal.
   *
   * Default: `0600`.
   */
  readonly mode?: Input<string> | undefined;
  /** Where the file is; a relative path counts from the program. */
  readonly path: Input<string>;
  /** A file whose content is copied. Either this or content. */
  readonly source?: Input<string> | undefined;
}
