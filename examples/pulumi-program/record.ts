import * as pulumi from '@pulumi/pulumi';
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';

/** What a record is made from. */
export interface RecordArgs {
  /** Directory below the program's; another one means another record. */
  directory: pulumi.Input<string>;
  title: pulumi.Input<string>;
  fields: pulumi.Input<{ [name: string]: pulumi.Input<unknown> }>;
}

interface RecordInputs {
  directory: string;
  title: string;
  fields: { [name: string]: unknown };
}

interface RecordState extends RecordInputs {
  file: string;
  revision: number;
}

/** Keeps one JSON file per record. Paths are relative to the program's directory, where its providers run. */
const provider: pulumi.dynamic.ResourceProvider<RecordInputs, RecordState> = {
  async check(_olds, news) {
    const failures = news.title === '' ? [{ property: 'title', reason: 'a record needs a title' }] : [];
    return { inputs: news, failures };
  },

  async diff(_id, olds, news) {
    const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
    const replaces = olds.directory === news.directory ? [] : ['directory'];
    const changes = replaces.length > 0 || olds.title !== news.title || !same(olds.fields, news.fields);
    return { changes, replaces, stables: ['file'], deleteBeforeReplace: false };
  },

  async create(inputs) {
    const id = randomUUID();
    const file = path.join(inputs.directory, `${id}.json`);
    const outs: RecordState = { ...inputs, file, revision: 1 };
    fs.mkdirSync(inputs.directory, { recursive: true });
    fs.writeFileSync(file, JSON.stringify(outs, null, 2));
    return { id, outs };
  },

  async read(id, props) {
    if (props === undefined || !fs.existsSync(props.file)) {
      return {};
    }
    const found: RecordState = JSON.parse(fs.readFileSync(props.file, 'utf8'));
    return { id, props: { ...props, ...found } };
  },

  async update(_id, olds, news) {
    const outs: RecordState = { ...news, file: olds.file, revision: olds.revision + 1 };
    fs.writeFileSync(olds.file, JSON.stringify(outs, null, 2));
    return { outs };
  },

  async delete(_id, props) {
    fs.rmSync(props.file, { force: true });
  },
};

/** A JSON record on disk. */
export class Record extends pulumi.dynamic.Resource {
  declare public readonly file: pulumi.Output<string>;
  declare public readonly revision: pulumi.Output<number>;
  declare public readonly title: pulumi.Output<string>;

  constructor(name: string, args: RecordArgs, opts?: pulumi.CustomResourceOptions) {
    super(provider, name, { ...args, file: undefined, revision: undefined }, opts);
  }
}
