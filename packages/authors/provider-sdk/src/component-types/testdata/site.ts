import { Asset, ComponentResource, CustomResource, output } from '@cairn/sdk';
import type { Archive, ComponentResourceOptions, Input, Output } from '@cairn/sdk';

/** How a page is written. */
export enum Style {
  Plain = 'plain',
  Loud = 'loud',
}

export type Region = 'eu' | 'us';

/** One rule. */
export interface Rule {
  /** Where it is from. */
  readonly from: Input<string>;
  readonly weights?: Input<readonly Input<number>[]>;
}

export interface SiteArgs {
  /** The title of the page. */
  readonly title: Input<string>;
  readonly count?: Input<number> | undefined;
  readonly open: boolean | Promise<boolean>;
  readonly style?: Input<Style>;
  readonly region: Input<Region>;
  readonly second?: Region | undefined;
  readonly rules: Input<Input<Rule>[]>;
  readonly tags?: Readonly<Record<string, Input<string>>>;
  readonly page: Input<Asset>;
  readonly bundle?: Archive;
  readonly parent: Input<Inner>;
  readonly other: Input<CustomResource>;
  readonly anything?: unknown;
  readonly given: Output<string>;
}

/** Is part of a site. */
export class Inner extends ComponentResource {
  constructor(name: string, _args: object, options?: ComponentResourceOptions) {
    super('sites:index:Inner', name, {}, options);
  }
}

/** A folder with a page. */
export class Site extends ComponentResource {
  /** Where it is. */
  readonly url: Output<string>;
  readonly rule: Output<Rule> | undefined;
  readonly inner: Inner;
  readonly notes = 'not an output';
  readonly #hidden: Output<string> = output('x');

  constructor(name: string, args: SiteArgs, options?: ComponentResourceOptions) {
    super('sites:index:Site', name, {}, options);
    this.inner = new Inner(`${name}-inner`, {}, { parent: this });
    this.url = output(args.title);
    this.rule = undefined;
    this.registerOutputs({ url: this.#hidden, inner: this.inner });
  }
}

export const helper = (): string => 'no component';
