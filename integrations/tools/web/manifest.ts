/**
 * Reads one public page (J-05). The address is a destination, because requesting a URL discloses something to its host: it
 * comes from the owner's own words or needs approval. Must not contain code. Called by both places' registries and by run.ts.
 */
import type { ToolManifest } from '../../../kernel/tool/manifest.ts'
import { PAGE_LANGUAGES, PAGE_LIMITS } from '../../extractors/page.ts'

export const WEB_MANIFEST = Object.freeze<ToolManifest>({
  name: 'web',
  version: '1.0.0',
  ownerOnly: false,
  places: ['edge', 'home'],
  network: ['*'],
  credential: null,
  actions: [
    {
      id: 'web.read',
      terms: ['http', 'https', 'www', 'com', 'org', 'net', 'page', 'site', 'website', 'article', 'link'],
      description: 'One public web page by its address: title, author, date, text, links.',
      capability: 'web:read',
      doing: 'reading_page',
      offline: { policy: { do: 'degrade' }, why: 'the edge reads pages itself' },
      semantics: 'read',
      args: { kind: 'record', fields: { url: { kind: 'url', destination: true } } },
      output: {
        kind: 'record',
        fields: {
          title: { kind: 'text', max: PAGE_LIMITS.title },
          author: { kind: 'text', max: PAGE_LIMITS.author, optional: true },
          date: { kind: 'date', optional: true },
          text: { kind: 'text', max: PAGE_LIMITS.text },
          links: { kind: 'list', max: PAGE_LIMITS.links, of: { kind: 'url' } },
          language: { kind: 'enum', values: PAGE_LANGUAGES },
          /** Final address, which an answer names as its source. */
          url: { kind: 'url', optional: true },
        },
      },
      ceiling: 'public',
      compartment: null,
      reaches: 'public',
      sink: null,
    },
  ],
})
