import { YAMLMap, isMap } from 'yaml';
import { NodeSync, keyText, writeOutAliases } from '../yaml/sync-node.js';
import { FileProblems } from '../yaml/file-problems.js';
import { parseYaml } from '../yaml/parse-yaml.js';

/**
 * What `new` changes in a template's project file. `dropTemplate`: remove the `template` section, which has served its
 * purpose.
 */
export interface ProjectEdit {
  readonly name?: string;
  readonly description?: string;
  readonly dropTemplate?: boolean;
}

/**
 * The text of a YAML project file with some keys changed; comments, order and all other keys stay. An empty text makes
 * a new file.
 */
export function editProjectText(text: string, file: string, edit: ProjectEdit): string {
  const parsed = parseYaml(text, new FileProblems(file, 'project file', 'CAIRN-PROJECT-INVALID'));
  writeOutAliases(parsed.document);
  const sync = new NodeSync(parsed);
  const root = isMap(parsed.document.contents) ? parsed.document.contents : new YAMLMap();
  parsed.document.contents = root;
  for (const key of ['name', 'description'] as const) {
    const value = edit[key];
    if (value === undefined) continue;
    const pair = root.items.find((item) => keyText(item.key) === key);
    if (pair === undefined) root.add({ key: sync.make(key), value: sync.make(value) });
    else pair.value = sync.sync(pair.value, value);
  }
  if (edit.dropTemplate === true) root.delete('template');
  return parsed.document.toString({ lineWidth: 0, indent: 2 });
}
