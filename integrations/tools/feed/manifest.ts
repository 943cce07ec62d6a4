/**
 * Reads one public feed. The address is a destination, because requesting it discloses something to its host: it comes from the owner's
 * own words or needs approval. Must not contain code. Called by both places' registries and by run.ts.
 */
import type { ToolManifest } from '../../../kernel/tool/manifest.ts'
import { FEED_LIMITS } from '../../extractors/feed.ts'

/** UTF-16 units. Memory holds no longer text, and the next part is asked for with it. */
const LONGEST_ADDRESS = 1_000

export const FEED_MANIFEST = Object.freeze<ToolManifest>({
  name: 'feed',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: ['*'],
  credential: null,
  actions: [
    {
      id: 'web.feed',
      description:
        'Items of one feed (RSS, Atom, JSON Feed), the newest first; only: new for those not shown yet.',
      semantics: 'read',
      capability: 'web:read',
      offline: { policy: { do: 'refuse' }, why: 'feeds are taken apart at home alone' },
      args: {
        kind: 'record',
        fields: {
          // As people type it: with or without "https://".
          address: { kind: 'text', max: LONGEST_ADDRESS, destination: true },
          only: { kind: 'enum', values: ['new'], stays: true, optional: true },
          count: { kind: 'number', stays: true, optional: true },
          from: { kind: 'number', stays: true, optional: true },
        },
      },
      pages: { field: 'next', argument: 'from' },
      output: {
        kind: 'record',
        fields: {
          title: { kind: 'text', max: FEED_LIMITS.title },
          items: {
            kind: 'list',
            max: FEED_LIMITS.items,
            of: {
              kind: 'record',
              fields: {
                title: { kind: 'text', max: FEED_LIMITS.title },
                link: { kind: 'url', optional: true },
                date: { kind: 'date', optional: true },
              },
            },
          },
          more: { kind: 'number' },
          next: { kind: 'number', optional: true },
          since: { kind: 'date', optional: true },
        },
      },
      ceiling: 'public',
      raises: 'internal',
      compartment: null,
      reaches: 'public',
      sink: null,
    },
  ],
})
