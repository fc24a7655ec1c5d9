import { STATE_PROPERTY } from '@cairn/tf-bridge/state-property';
import { Archive, Asset, kindOf, transformMap, withoutProperty } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';

/** What stands in events for the text of an asset [EVT-2]. */
const ELIDED = '<contents elided>';

/** The form in which SDKs write functions of a program as modules. */
const CODE = /^exports\.[\w$]+\s*=/;

/** The properties with the texts of assets left out, those in archives too; code of the program stays. */
export function withoutContents(map: PropertyMap): PropertyMap {
  return transformMap(map, (value) => {
    const kind = kindOf(value);
    if (kind === 'asset') return elidedAsset(value as Asset);
    return kind === 'archive' ? elidedArchive(value as Archive) : value;
  });
}

/** Outputs without the state that a Terraform provider has of the object besides [TFB-4]. */
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
