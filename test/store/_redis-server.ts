export * from '../lib/redis-server.ts';
