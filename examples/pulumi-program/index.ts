import * as pulumi from '@pulumi/pulumi';
import { Record } from './record';
import { Shelf } from './shelf';

const config = new pulumi.Config();
const owner = config.require('owner');
const count = config.requireNumber('shelves');
const doorCode = config.getSecret('doorCode') ?? pulumi.secret('0000');

const directory = 'records';
const books = [
  { title: 'A Field Guide to Stones', author: 'M. Karst' },
  { title: 'Paths over the Pass', author: 'I. Saddle' },
];

const shelves = Array.from(
  { length: count },
  (_, index) => new Shelf(`shelf-${index + 1}`, { directory, label: `Shelf ${index + 1}`, books }),
);

// The door is locked once all shelves stand.
const door = new Record(
  'door',
  { directory, title: 'Door', fields: { kind: 'door' }, code: doorCode },
  { dependsOn: shelves, additionalSecretOutputs: ['code'] },
);

const catalogue = new Record('catalogue', {
  directory,
  title: pulumi.interpolate`Catalogue of ${owner}`,
  fields: {
    kind: 'catalogue',
    titles: pulumi.all(shelves.map((shelf) => shelf.titles)).apply((titles) => titles.flat()),
    door: door.id,
  },
});

export const catalogueFile = catalogue.file;
export const catalogueRevision = catalogue.revision;
export const titles = pulumi.all(shelves.map((shelf) => shelf.titles));
export const code = doorCode;
