/**
 * The edge's page reader: HTMLRewriter streams the page, so that no HTML parser is bundled (J-05). It does not detect the main
 * article; it drops elements such as navigation. Runs no script and loads nothing. Called by integrations/tools/web.
 */
import { createPage, firstDate, type Page, type PageReader } from '../../integrations/extractors/page.ts'
import { PAGE_DATA, statedFacts } from '../../integrations/extractors/page-data.ts'
import {
  ASIDE_ELEMENTS,
  BLOCK_ELEMENTS,
  HIDING_STYLE,
  META_FACTS,
  SILENT_ELEMENTS,
  states,
} from '../../integrations/extractors/page-elements.ts'
import { decodeEntities } from '../../integrations/extractors/page-entities.ts'

/** What is collected while the page streams. */
interface Reading {
  readonly facts: Map<'title' | 'author' | 'date', string>
  readonly links: string[]
  readonly main: string[]
  readonly everything: string[]
  /** Blocks of JSON-LD, each as its pieces. */
  readonly data: string[]
  title: string
  time: string | null
  language: string | null
  /** Number of open elements whose text is never part of the page. */
  silent: number
  /** Number of open elements beside the text, such as navigation. */
  aside: number
}

export function createPageReader(): PageReader {
  return { read: readPage }
}

async function readPage(html: string, url: string): Promise<Page> {
  const reading: Reading = {
    facts: new Map(),
    links: [],
    main: [],
    everything: [],
    data: [],
    title: '',
    time: null,
    language: null,
    silent: 0,
    aside: 0,
  }
  await drain(rewriterFor(reading).transform(new Response(html)))
  const main = reading.main.join('')
  const text = main.trim() === '' ? reading.everything.join('') : main
  const stated = statedFacts(reading.data)
  return createPage(
    {
      title: reading.facts.get('title') ?? stated.title ?? decodeEntities(reading.title),
      author: stated.author ?? reading.facts.get('author') ?? null,
      date: firstDate([stated.date, reading.facts.get('date'), reading.time]),
      text: decodeEntities(text),
      links: reading.links,
      language: reading.language,
    },
    url,
  )
}

function rewriterFor(reading: Reading): HTMLRewriter {
  return new HTMLRewriter()
    .on('*', { element: (element) => noteElement(reading, element) })
    .on('title', {
      text: (chunk) => {
        reading.title += chunk.text
      },
    })
    .on('script[type="application/ld+json"]', {
      element: () => void reading.data.push(''),
      text: (chunk) => noteData(reading, chunk.text),
    })
    .onDocument({ text: (chunk) => noteText(reading, chunk.text) })
}

function noteElement(reading: Reading, element: Element): void {
  const name = element.tagName.toLowerCase()
  if (name === 'html') reading.language = element.getAttribute('lang')
  if (name === 'meta') noteMeta(reading, element)
  if (name === 'time') reading.time ??= element.getAttribute('datetime')
  const href = name === 'a' ? element.getAttribute('href') : null
  if (href !== null && !href.startsWith('#')) reading.links.push(decodeEntities(href))
  if (BLOCK_ELEMENTS.has(name)) noteText(reading, '\n')
  if (SILENT_ELEMENTS.has(name) || isHidden(element)) count(reading, element, 'silent')
  else if (ASIDE_ELEMENTS.has(name)) count(reading, element, 'aside')
}

function count(reading: Reading, element: Element, kind: 'silent' | 'aside'): void {
  try {
    element.onEndTag(() => {
      reading[kind] -= 1
    })
    reading[kind] += 1
  } catch {
    // `<img hidden>` has no end tag, and no text.
  }
}

function noteMeta({ facts }: Reading, element: Element): void {
  const of = (name: string): string | null => element.getAttribute(name)
  const name = of('property') ?? of('name') ?? of('itemprop') ?? ''
  const fact = META_FACTS.get(name.toLowerCase())
  const content = decodeEntities(element.getAttribute('content') ?? '')
  if (fact !== undefined && states(fact, content) && !facts.has(fact)) facts.set(fact, content)
}

/** A block that exceeds the bound is cut, is then no valid JSON, and is not read. */
function noteData({ data }: Reading, text: string): void {
  const last = data.at(-1) ?? ''
  if (last.length <= PAGE_DATA.block) data[Math.max(0, data.length - 1)] = last + text
}

function noteText(reading: Reading, text: string): void {
  if (reading.silent > 0) return
  reading.everything.push(text)
  if (reading.aside === 0) reading.main.push(text)
}

function isHidden(element: Element): boolean {
  return (
    element.hasAttribute('hidden') ||
    element.getAttribute('aria-hidden') === 'true' ||
    HIDING_STYLE.test(element.getAttribute('style') ?? '')
  )
}

/** Reads to the end and drops the bytes: the handlers have collected what is needed. */
async function drain(response: Response): Promise<void> {
  await response.body?.pipeTo(new WritableStream())
}
