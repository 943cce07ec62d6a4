/**
 * Reads one public feed. The address is a destination, because requesting it discloses something to its host: it comes from the owner's
 * own words or needs approval. Must not contain code. Called by both places' registries and by run.ts.
 */
import type { ToolManifest } from '../../../kernel/tool/manifest.ts'
import { FEED_LIMITS } from '../../extractors/feed.ts'

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
      description: 'The newest items of one feed (RSS, Atom, JSON Feed) by its address: title, link, date.',
      semantics: 'read',
      capability: 'web:read',
      offline: { policy: { do: 'refuse' }, why: 'feeds are taken apart at home alone' },
      // As people type it: with or without "https://".
      args: { kind: 'record', fields: { address: { kind: 'text', max: 2_048, destination: true } } },
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
        },
      },
      ceiling: 'public',
      compartment: null,
      reaches: 'public',
      sink: null,
    },
  ],
})
