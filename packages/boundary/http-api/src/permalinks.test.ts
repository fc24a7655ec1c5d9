import { pageOfPermalink } from './permalinks.js';

test.each([
  ['/acme/shop/prod', '/s/acme/shop/prod'],
  ['/acme/shop/prod/', '/s/acme/shop/prod'],
  ['/acme/shop/prod/updates/7', '/s/acme/shop/prod/updates/7'],
  ['/acme/shop/prod/updates', '/s/acme/shop/prod'],
  ['/acme/shop/prod/updates/x', '/s/acme/shop/prod'],
  ['/acme/shop/prod/updates/0', '/s/acme/shop/prod'],
  ['/acme/shop/prod/previews', '/s/acme/shop/prod/previews'],
  ['/acme/shop/prod/previews/1b-4', '/s/acme/shop/prod/previews/1b-4'],
  ['/acme/shop/prod/deployments/3', '/s/acme/shop/prod/runs/3'],
  ['/acme/shop/prod/deployments/x', '/s/acme/shop/prod'],
  ['/acme/shop/prod/resources', '/s/acme/shop/prod/resources'],
  ['/acme/shop/prod/resources/3', '/s/acme/shop/prod/resources'],
  ['/acme/%C3%A9/a%3Fb%23/updates/1', '/s/acme/%C3%A9/a%3Fb%23/updates/1'],
  ['/acme/é/prod', '/s/acme/%C3%A9/prod'],
  ['/acme', '/'],
  ['/ann@example.com', '/'],
  ['/user/settings/tokens', '/'],
])('%s is the page %s', (path, page) => {
  expect(pageOfPermalink(path)).toBe(page);
});

test.each([
  ...['/', '/acme/shop', '/acme//prod', '//evil.example/a/b', '/acme/shop/prod/other', '/acme/%/prod'],
  ...[
    '/s/acme/shop/prod',
    '/s/acme/shop',
    '/o/a/b',
    '/o',
    '/api',
    '/favicon.ico',
    '/api/stacks/acme',
    '/console/stacks/acme',
    '/tf/a/b',
  ],
  ...['/console/assets/app-AAAAAAAA.js', '/acme/shop/prod/updates/7/8', '/login/a/b', '/.well-known/a/b'],
])('%s is no address of another command', (path) => {
  expect(pageOfPermalink(path)).toBe(undefined);
});
