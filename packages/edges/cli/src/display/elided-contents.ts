import { STATE_PROPERTY } from '@cairn/tf-bridge/state-property';
import { Archive, Asset, kindOf, transformMap, withoutProperty } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';

/** Replaces the text of an asset in events [EVT-2]. */
const ELIDED = '<contents elided>';

/** Matches the form in which SDKs write functions of a program as modules. */
const CODE = /^exports\.[\w$]+\s*=/;

/** Returns the properties without the texts of assets, including those in archives. Code of the program remains. */
export function withoutContents(map: PropertyMap): PropertyMap {
  return transformMap(map, (value) => {
    const kind = kindOf(value);
    if (kind === 'asset') return elidedAsset(value as Asset);
    return kind === 'archive' ? elidedArchive(value as Archive) : value;
  });
}

/** Returns outputs without the additional state that a Terraform provider stores with the object [TFB-4]. */
export function withoutOwnState(outputs: PropertyMap): PropertyMap {
  return withoutProperty(outputs, STATE_PROPERTY);
}

function elidedAsset(asset: Asset): Asset {
  const { text } = asset;
  if (text === undefined || text === '' || CODE.test(text)) return asset;
  return new Asset({ text: ELIDED, hash: asset.hash });
}

function elidedArchive(archive: Archive): Archive {
  const { assets } = archive;
  if (assets === undefined) return archive;
  const members = Object.entries(assets).map(
    ([name, member]) =>
      [
        name,
        kindOf(member) === 'asset' ? elidedAsset(member as Asset) : elidedArchive(member as Archive),
      ] as const,
  );
  return new Archive({ assets: Object.fromEntries(members), hash: archive.hash });
}
