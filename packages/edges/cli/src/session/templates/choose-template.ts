import { cairnError } from '@cairn/diagnostics';
import { chooseOne } from '../../terminal/prompt.js';
import type { World } from '../../world.js';
import type { Template } from './template-file.js';

/**
 * The only template, or the one that somebody at a terminal chooses. Fails (CAIRN-USAGE) where nobody can, or where
 * nothing `asks`.
 */
export async function chooseTemplate(
  world: World,
  templates: readonly Template[],
  asks: boolean,
): Promise<Template> {
  const [first] = templates;
  if (first !== undefined && templates.length === 1) return first;
  if (first === undefined || !asks || !world.terminal.interactive)
    throw cairnError('CAIRN-USAGE', 'there are several templates', {
      causes: templates.map(({ name, description }) =>
        description === '' ? name : `${name}: ${description}`,
      ),
      hint: 'name the folder of one of them',
    });
  const choices = templates.map(({ name, description }) => ({ value: name, label: name, hint: description }));
  const chosen = await chooseOne(world, 'Template', choices, first.name);
  if (chosen === undefined) throw cairnError('CAIRN-CANCELLED', 'nothing was created');
  return templates.find(({ name }) => name === chosen) ?? first;
}
