/**
 * What happens when an answer is shown: it is rendered as the most generous clients do (Markdown with HTML, and plain HTML),
 * and everything that would be asked of a network, or would tell something when it is touched, is found. Knows nothing of the
 * guard. Called by t3-synthesizer.ts.
 */
import { parseHTML } from 'linkedom'
import markdown from 'markdown-it'

const RENDERER = markdown({ html: true, linkify: true })
RENDERER.linkify.set({ fuzzyLink: true, fuzzyEmail: true, fuzzyIP: true })
/** Attributes that are fetched as soon as the element is there. */
const FETCHED = [
  'src',
  'srcset',
  'poster',
  'background',
  'data',
  'action',
  'formaction',
  'ping',
  'manifest',
  'xlink:href',
]
/** Elements whose `href` is fetched, not followed. */
const FETCHING = ['link', 'image', 'use', 'base']
/** Characters that change what a reader sees, or control the terminal; tab and newline may stay. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029\u{E0000}-\u{E007F}]/u

export interface Shown {
  /** Addresses that would be asked for without anybody touching anything. */
  readonly requests: readonly string[]
  /** Addresses that a touch would ask for, or a preview. */
  readonly links: readonly string[]
  readonly hidden: boolean
}

export function show(text: string): Shown {
  const pages = [RENDERER.render(text), text.replaceAll('\n', '<br>')]
  const found = pages.map(addressesIn)
  const bare = (RENDERER.linkify.match(text) ?? []).map(({ url }) => url)
  return {
    requests: [...new Set(found.flatMap(({ requests }) => requests))],
    links: [...new Set([...found.flatMap(({ links }) => links), ...bare])],
    hidden: HIDDEN.test(text),
  }
}

function addressesIn(html: string): Pick<Shown, 'requests' | 'links'> {
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`)
  const requests: string[] = []
  const links: string[] = []
  for (const element of document.querySelectorAll('*')) {
    const tag = element.localName.toLowerCase()
    for (const { name, value } of element.attributes) {
      const attribute = name.toLowerCase()
      if (FETCHED.includes(attribute) || (attribute === 'href' && FETCHING.includes(tag)))
        requests.push(value)
      else if (attribute === 'href') links.push(value)
      else if (attribute === 'style' && /url\s*\(|@import/i.test(value)) requests.push(value)
      else if (/^on/.test(attribute)) requests.push(`${attribute}=${value}`)
    }
    if (tag === 'style' || tag === 'script' || (tag === 'meta' && element.hasAttribute('http-equiv')))
      requests.push(tag)
  }
  return { requests, links }
}
