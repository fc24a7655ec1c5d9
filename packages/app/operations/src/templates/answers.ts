import type { RuntimeOptionPrompt } from '@cairn/wire';
import type { Template, TemplateSetting } from './template-file.js';

/** Answers to questions of templates and languages about a new project. For an absent member its default applies. */
export interface TemplateAnswers {
  /** Chooses one of several templates; `undefined` for none of them. By default several templates are an error. */
  readonly template?: ((templates: readonly Template[]) => Promise<Template | undefined>) | undefined;
  /** Returns the text of a setting of the stack, empty for its default; `undefined` for no answer. */
  readonly setting?: ((setting: TemplateSetting) => Promise<string | undefined>) | undefined;
  /** Returns the value or label of an option of the language, empty for its default; `undefined` for no answer. */
  readonly runtimeOption?: ((prompt: RuntimeOptionPrompt) => Promise<string | undefined>) | undefined;
}
