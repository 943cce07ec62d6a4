/**
 * Searches the web with the engine of the owner's choice. The engine is told the words of one message that stand on a card, and nothing
 * else; the yes to it covers the first pages that it finds (DESIGN §10). Must not contain code of the search. Called by both places'
 * registries and by run.ts.
 */
import type { ToolManifest } from '../../../kernel/tool/manifest.ts'
import { DEFAULT_SEARCH, ENGINES, engineOf, originOf, SEARCH_LIMITS, type SearchSetting } from './engines.ts'

/** Most pages that a yes to a search covers. */
const PAGES = 5

/** With the host of the chosen engine, which the card names, and its key. */
export function searchManifest(setting: SearchSetting): ToolManifest {
  const { key } = engineOf(setting)
  return Object.freeze<ToolManifest>({
    name: 'search',
    version: '1.0.0',
    ownerOnly: true,
    places: ['home'],
    network: [new URL(originOf(setting)).host],
    credential: key === null ? null : key.credential,
    ...(key !== null && { connect: key.connect }),
    actions: [
      {
        id: 'web.search',
        description:
          'Searches the web. To answer with sources: forEach in results, max 5, web.read {url: item.url}.',
        core: true,
        semantics: 'read',
        capability: 'web:read',
        offline: { policy: { do: 'refuse' }, why: 'home knows which search engine the owner chose' },
        args: {
          kind: 'record',
          fields: {
            words: { kind: 'text', max: 200, disclosed: true },
            from: { kind: 'id', max: 256, level: 'public', optional: true },
          },
        },
        pages: { field: 'next', argument: 'from' },
        output: {
          kind: 'record',
          fields: {
            engine: { kind: 'enum', values: ENGINES },
            results: {
              kind: 'list',
              max: SEARCH_LIMITS.results,
              of: {
                kind: 'record',
                fields: {
                  url: { kind: 'url' },
                  title: { kind: 'text', max: SEARCH_LIMITS.title },
                  text: { kind: 'text', max: SEARCH_LIMITS.text },
                  date: { kind: 'date', optional: true },
                },
              },
            },
            more: { kind: 'boolean', optional: true },
            next: { kind: 'id', max: 256, optional: true },
          },
        },
        ceiling: 'public',
        compartment: null,
        reaches: 'public',
        sink: null,
        opens: { tool: 'web.read', argument: 'url', list: 'results', field: 'url', most: PAGES },
      },
    ],
  })
}

export const SEARCH_MANIFEST = searchManifest(DEFAULT_SEARCH)
