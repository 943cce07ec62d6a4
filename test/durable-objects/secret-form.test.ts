/**
 * The script of the one-time page (L-15), run as served, with stubs of the browser parts that it uses: home's own code opens what
 * it sends, and it shows the result in words. Browsers without X25519 are pointed to the setup at home.
 */
import { webcrypto } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { expect, it, vi } from 'vitest'
import { MAX_SECRET, offerBound, sealKeyGroups } from '../../kernel/vault/secret-offer.ts'
import { formPage } from '../../worker/secret-form.ts'
import { opened, publicKey, VIEW } from './page-view.ts'

interface Part {
  value: string
  textContent: string
  disabled: boolean
  readonly dataset: Readonly<Record<string, string>>
  readonly heard: Map<string, (event: unknown) => unknown>
  addEventListener(name: string, then: (event: unknown) => unknown): void
}

function part(dataset: Part['dataset'] = {}): Part {
  const heard: Part['heard'] = new Map()
  const addEventListener: Part['addEventListener'] = (name, then) => heard.set(name, then)
  return { value: '', textContent: '', disabled: true, dataset, heard, addEventListener }
}

interface Posted {
  readonly path: string
  readonly body: string
}

/** `answer`: status of the edge; null when it is unreachable. `subtle`: the browser's WebCrypto. */
async function page(answer: number | null, subtle: unknown = webcrypto.subtle) {
  const html = formPage(VIEW)
  const data = [...html.matchAll(/data-([a-z]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&'),
  ])
  const parts = { page: part(Object.fromEntries(data)), value: part(), send: part(), said: part() }
  const posted: Posted[] = []
  const fetching = async (path: string, { body }: { readonly body: string }) => {
    posted.push({ path, body })
    if (answer === null) throw new TypeError('Failed to fetch')
    return { ok: answer === 200, status: answer }
  }
  const globals = {
    crypto: { subtle },
    fetch: fetching,
    TextEncoder,
    atob,
    btoa,
    Uint8Array,
    location: { pathname: '/secret/n' },
  }
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(html) ?? []
  runInNewContext(script, { ...globals, document: { getElementById: (id: keyof typeof parts) => parts[id] } })
  // Waits until the script has checked the browser; before, its button is disabled.
  await vi.waitUntil(() => !parts.send.disabled || parts.said.textContent !== '', 15_000)
  const type = async (value: string): Promise<void> => {
    parts.value.value = value
    await parts.send.heard.get('click')?.({})
  }
  return { html, parts, posted, type }
}

it.each(['a token of 16 ch', 'Schlüssel ✓ €', 'x'.repeat(MAX_SECRET)])(
  'home opens what the page sealed: %#',
  async (value) => {
    const { posted, parts, type } = await page(200)
    await type(value)
    expect(posted.map(({ path }) => path)).toEqual(['/secret/n'])
    expect(await opened(posted[0]?.body ?? '')).toBe(value)
    expect(posted[0]?.body).not.toContain(value)
    expect([parts.said.textContent, parts.value.value, parts.send.disabled]).toEqual([
      expect.stringMatching(/^Done\./),
      '',
      true,
    ])
  },
)

it('sealing the same value again gives another box', async () => {
  const [one, two] = [await page(200), await page(200)]
  await one.type('the same value')
  await two.type('the same value')
  expect(one.posted[0]?.body).not.toBe(two.posted[0]?.body)
})

it.each<[string, number | null, RegExp, string]>([
  ['over', 404, /^This link is over/, ''],
  ['too often', 429, /^It was not taken just now/, 'the value'],
  ['locked', 423, /^It was not taken just now/, 'the value'],
  ['out of reach', null, /^It could not be sent/, 'the value'],
])('the page says in words that the edge’s answer is %s', async (_name, status, words, left) => {
  const { parts, type } = await page(status)
  await type('the value')
  expect([parts.said.textContent, parts.value.value]).toEqual([expect.stringMatching(words), left])
})

it('nothing is sent when nothing is typed', async () => {
  const { posted, type } = await page(200)
  await type('  ')
  expect(posted).toEqual([])
})

it.each<[string, unknown]>([
  ['lacks X25519', { generateKey: () => Promise.reject(new Error('NotSupportedError')) }],
  ['brings no WebCrypto', undefined],
])('a browser that %s is pointed to the setup at home', async (_name, subtle) => {
  const { parts } = await page(200, subtle ?? null)
  expect(parts.said.textContent).toContain('pfar connect google')
  expect([parts.value.disabled, parts.send.disabled]).toEqual([true, true])
})

it('the page shows service, expiry and key, and inserted values are no markup', async () => {
  const { html, parts } = await page(200)
  for (const words of ['A &quot;service&quot; &lt;b>', '2026-11-23 04:00 UTC', sealKeyGroups(publicKey)])
    expect(html).toContain(words)
  expect(parts.page.dataset['bound']).toBe(new TextDecoder().decode(offerBound(VIEW.offer)))
})
