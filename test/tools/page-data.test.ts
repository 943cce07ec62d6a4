/** Who wrote a page, and when, as pages state it: JSON-LD in the shapes that sites publish, meta elements and time elements; and what hostile ones state. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { statedFacts } from '../../integrations/extractors/page-data.ts'
import { readPage } from '../../sidecar/pages/page-parse.ts'

const DAY = '2026-03-04'
const ld = (value: unknown): string =>
  `<script type="application/ld+json">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`
const page = (head: string, body = '<p>x</p>') =>
  readPage(`<html><head><title>T</title>${head}</head><body>${body}</body></html>`, 'https://a.example/')
const article = (more: object) => ({
  '@context': 'https://schema.org',
  '@type': 'NewsArticle',
  datePublished: DAY,
  ...more,
})

describe('the author and the day of a page', () => {
  it.each<[what: string, head: string, author: string | null, date: string | null]>([
    [
      'a record of a person',
      ld(article({ author: { '@type': 'Person', name: 'Eva Holm' } })),
      'Eva Holm',
      DAY,
    ],
    ['several people', ld(article({ author: [{ name: 'Eva' }, { name: 'Tom' }] })), 'Eva, Tom', DAY],
    ['a name alone', ld(article({ author: 'Eva Holm' })), 'Eva Holm', DAY],
    ['names alone', ld(article({ author: ['Eva', 'Eva', 'Tom'] })), 'Eva, Tom', DAY],
    ['the address of a profile', ld(article({ author: 'https://a.example/eva' })), null, DAY],
    ['an author without a name', ld(article({ author: { url: 'https://a.example/eva' } })), null, DAY],
    [
      'an organisation',
      ld(article({ author: { '@type': 'Organization', name: 'The Paper' } })),
      'The Paper',
      DAY,
    ],
    ['a creator', ld(article({ creator: 'Eva' })), 'Eva', DAY],
    [
      'a graph with ids',
      ld({
        '@graph': [article({ author: { '@id': '#eva' } }), { '@type': 'Person', '@id': '#eva', name: 'Eva' }],
      }),
      'Eva',
      DAY,
    ],
    [
      'the page and its article',
      ld({
        '@graph': [
          { '@type': 'WebPage', datePublished: '2020-01-01', author: 'Site' },
          article({ author: 'Eva' }),
        ],
      }),
      'Eva',
      DAY,
    ],
    ['a list of things', ld([{ '@type': 'BreadcrumbList' }, article({ author: 'Eva' })]), 'Eva', DAY],
    [
      'several blocks',
      ld({ '@type': 'Organization', name: 'Shop' }) + ld(article({ author: 'Eva' })),
      'Eva',
      DAY,
    ],
    [
      'a type with its address',
      ld(article({ '@type': 'https://schema.org/BlogPosting', author: 'Eva' })),
      'Eva',
      DAY,
    ],
    ['several types', ld(article({ '@type': ['Article', 'Report'], author: 'Eva' })), 'Eva', DAY],
    [
      'a moment with its zone',
      ld(article({ datePublished: '2026-03-04T05:06:07+02:00' })),
      null,
      '2026-03-04T03:06:07Z',
    ],
    ['a moment without a zone', ld(article({ datePublished: '2026-03-04T05:06:07' })), null, DAY],
    [
      'the same, and a day beside it',
      `${ld(article({ datePublished: '2026-03-04T05:06:07' }))}<meta name="date" content="2026-03-05">`,
      null,
      DAY,
    ],
    ['a comment around it', ld(`<!-- ${JSON.stringify(article({ author: 'Eva' }))} -->`), 'Eva', DAY],
    ['entities in a name', ld(article({ author: 'Eva \u202e Holm\n' })), 'Eva Holm', DAY],
    ['a product', ld({ '@type': 'Product', author: 'Eva', datePublished: DAY }), null, null],
    ['what is no JSON', ld('{"@type": "Article", "author": '), null, null],
    ['JSON of another kind', ld('[1, null, "x", [[]]]'), null, null],
    [
      'names of the prototype',
      ld('{"@type":"Article","__proto__":{"author":"Eve"},"constructor":1}'),
      null,
      null,
    ],
    [
      'meta elements',
      `<meta name="author" content="Eva"><meta property="article:published_time" content="${DAY}">`,
      'Eva',
      DAY,
    ],
    [
      'Dublin Core',
      `<meta name="DC.creator" content="Eva"><meta name="DCTERMS.date" content="${DAY}">`,
      'Eva',
      DAY,
    ],
    [
      'a paper',
      `<meta name="citation_author" content="Eva"><meta name="citation_publication_date" content="${DAY}">`,
      'Eva',
      DAY,
    ],
    [
      'microdata',
      `<meta itemprop="author" content="Eva"><meta itemprop="datePublished" content="${DAY}">`,
      'Eva',
      DAY,
    ],
    [
      'the address of a profile in meta',
      '<meta property="article:author" content="https://f.example/eva"><meta name="author" content="Eva">',
      'Eva',
      null,
    ],
    ['a handle', '<meta name="author" content="@eva">', null, null],
    ['nothing', '', null, null],
  ])('by %s', (_what, head, author, date) => {
    const read = page(head)
    expect([read.author, read.date]).toEqual([author, date])
  })

  it('by the first time element, where nothing else says it', () => {
    expect(page('', `<time datetime="${DAY}">4 March</time>`).date).toBe(DAY)
    expect(page('', '<time>last week</time>').date).toBeNull()
  })

  it('a script of a page states nothing, and its text is no text of the page', () => {
    const read = page(
      `<script>${JSON.stringify(article({ author: 'Eve' }))}</script>${ld(article({ headline: 'H', author: 'Eva' }))}`,
    )
    expect(read.author).toBe('Eva')
    expect(read.text).not.toContain('Eve')
  })

  it('whatever is stated, nothing throws', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom({ '@type': 'Article', author: { '@id': 'a' } }, { '@graph': [null, []] }),
    )
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            value.map((one) => JSON.stringify(one)),
            fc.string(),
          ),
        ),
        (blocks) => {
          for (const fact of Object.values(statedFacts(blocks))) expect(typeof fact).toBe('string')
        },
      ),
      { numRuns: 300 },
    )
  })
})
