/** Mutations of the nginx configuration, published and documented. */

import type { Mutation } from './mutation.ts';

const proxy = 'test/security/proxy.test.ts';

export const proxyMutations: readonly Mutation[] = [
  {
    name: 'nginx takes a BFF out of service for errors that a client provokes',
    file: 'packages/bff/deploy/nginx.conf',
    find: 'server bff-1:8080 max_fails=0;\n    server bff-2:8080 max_fails=0;',
    replace: 'server bff-1:8080 max_fails=1 fail_timeout=9s;\n    server bff-2:8080 max_fails=1 fail_timeout=9s;',
    test: { file: proxy, name: 'security review 1: errors that a client provokes take no BFF out of service' },
  },
  {
    name: 'nginx logs the query of each request',
    file: 'packages/bff/deploy/nginx.conf',
    find: '"path":"$uri"',
    replace: '"path":"$request_uri"',
    test: { file: proxy, name: 'security review 12: no log contains a code, of accepted, refused and failed requests' },
  },
  {
    name: 'nginx logs the query of failed requests',
    file: 'packages/bff/deploy/nginx.conf',
    find: 'error_log /dev/stderr emerg;',
    replace: 'error_log /dev/stderr error;',
    test: { file: proxy, name: 'security review 12: no log contains a code, of accepted, refused and failed requests' },
  },
  {
    name: 'nginx gives one address every connection',
    file: 'packages/bff/deploy/nginx.conf',
    find: '      limit_conn vestibule_connections 100;\n',
    replace: '',
    test: { file: proxy, name: 'serves others while one address has 100 requests in flight, and refuses it more' },
  },
  {
    name: 'the documented nginx logs the query of each request',
    file: 'docs/install.md',
    find: '"$request_method $uri" $status',
    replace: '"$request_method $request_uri" $status',
    test: { file: proxy, name: 'security review 12: no log contains a code, of accepted, refused and failed requests' },
  },
  {
    name: 'the documented nginx gives one address every connection',
    file: 'docs/install.md',
    find: '    limit_conn vestibule_connections 100;\n',
    replace: '',
    test: { file: proxy, name: 'serves others while one address has 100 requests in flight, and refuses it more' },
  },
  {
    name: 'nginx accepts a body of any size',
    file: 'packages/bff/deploy/nginx.conf',
    find: 'client_max_body_size 512k;',
    replace: 'client_max_body_size 0;',
    test: { file: proxy, name: 'refuses a body beyond 512 KiB by its announced length, and sends nothing of it to the BFF' },
  },
  {
    name: 'the documented nginx accepts a body of any size',
    file: 'docs/install.md',
    find: 'client_max_body_size 512k;',
    replace: 'client_max_body_size 0;',
    test: { file: proxy, name: 'refuses a body beyond 512 KiB by its announced length, and sends nothing of it to the BFF' },
  },
];
