// Written by tools/provider-classes.mjs from the schema of the provider.
import { CustomResource } from '@cairn/sdk';
import type { CustomResourceOptions, Input, Output } from '@cairn/sdk';
import type * as enums from './enums.js';

/** Commands run at create, update and delete. `customTimeouts` limits how long each may take. */
export class LocalCommand extends CustomResource {
  constructor(name: string, args: LocalCommandArgs, options?: CustomResourceOptions) {
    super('cairn-local:index:Command', name, args, options);
  }

  /** Its standard error, without the trailing newline. */
  get stderr(): Output<string> {
    return this.outputOf('stderr');
  }

  /** Standard output of the last create or update, without the trailing newline. */
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
  /** Working directory, relative to the directory of the program, which is the default. */
  readonly directory?: Input<string> | undefined;
  /** Variables added to the environment of Cairn. */
  readonly environment?: Input<{ readonly [key: string]: Input<string> }> | undefined;
  /** Command that runs the text, which is its last argument; a POSIX shell with -c gets it in a variable. Default: a shell. */
  readonly interpreter?: Input<readonly Input<string>[]> | undefined;
  /** Standard input of the command. */
  readonly stdin?: Input<string> | undefined;
  /** Arbitrary values. When one changes, Cairn runs create again, then delete for the old values. */
  readonly triggers?: Input<readonly Input<unknown>[]> | undefined;
  /** Run when an input changes. */
  readonly update?: Input<string> | undefined;
}

/** A directory, created with its parents; deleted only when it is empty, unless `force` is set. */
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
   * Delete it with everything in it. Otherwise, it is only deleted when it is empty.
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
  /** Path of the directory, relative to the program. */
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

  /** Number of bytes in it. */
  get size(): Output<number> {
    return this.outputOf('size');
  }
}

/** What a {@link LocalFile} is made of. */
export interface LocalFileArgs {
  /** Content of the file. Either this or source. */
  readonly content?: Input<string> | undefined;
  /**
   * Encoding of content.
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
  /** Path of the file, relative to the program. */
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

  /** Number of bytes in it. */
  get size(): Output<number> {
    return this.outputOf('size');
  }
}

/** What a {@link LocalSensitiveFile} is made of. */
export interface LocalSensitiveFileArgs {
  /**
   * Content of the file. Either this or source.
   *
   * Secret.
   */
  readonly content?: Input<string> | undefined;
  /**
   * Encoding of content.
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
  /** Path of the file, relative to the program. */
  readonly path: Input<string>;
  /** A file whose content is copied. Either this or content. */
  readonly source?: Input<string> | undefined;
}
