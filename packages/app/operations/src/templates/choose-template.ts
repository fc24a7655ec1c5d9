import { cairnError } from '@cairn/diagnostics';
import type { TemplateAnswers } from './answers.js';
import type { Template } from './template-file.js';

/** Returns the only template, or the chosen one. Fails (CAIRN-USAGE) if there are several and no one can choose. */
export async function chooseTemplate(
  templates: readonly Template[],
  { template: choose }: TemplateAnswers,
): Promise<Template> {
  const [first] = templates;
  if (first !== undefined && templates.length === 1) return first;
  if (first === undefined || choose === undefined)
    throw cairnError('CAIRN-USAGE', 'there are several templates', {
      causes: templates.map(({ name, description }) =>
        description === '' ? name : `${name}: ${description}`,
      ),
      hint: 'Name the folder of one of them.',
    });
  const chosen = await choose(templates);
  if (chosen === undefined) throw cairnError('CAIRN-CANCELLED', 'nothing was created');
  return chosen;
}
