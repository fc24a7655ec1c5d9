import { Archive, Asset } from '@cairn/values';

export { Archive, Asset };

/** The content of a file. A relative path is relative to the program's directory. */
export class FileAsset extends Asset {
  constructor(path: string) {
    super({ path });
  }
}

/** A text as a blob. */
export class StringAsset extends Asset {
  constructor(text: string) {
    super({ text });
  }
}

/** The content at a URI (`http`, `https`, `file`). */
export class RemoteAsset extends Asset {
  constructor(uri: string) {
    super({ uri });
  }
}

/** Blobs and archives by name. */
export class AssetArchive extends Archive {
  constructor(assets: Readonly<Record<string, Asset | Archive>>) {
    super({ assets });
  }
}

/** A directory, or a `.tar`, `.tgz`, `.tar.gz`, `.zip` or `.jar` file. */
export class FileArchive extends Archive {
  constructor(path: string) {
    super({ path });
  }
}

/** An archive at a URI. */
export class RemoteArchive extends Archive {
  constructor(uri: string) {
    super({ uri });
  }
}
