/** The pure checks of the scoped client: addresses, targets, redirects (I-04, I-05, regression 16). */
import { describe, expect, it } from 'vitest'
import { urlOf } from '../../integrations/extractors/url.ts'
import { isPublicAddress } from '../../integrations/http/address.ts'
import { nextHop } from '../../integrations/http/redirect.ts'
import { checkTarget, type HostScope } from '../../integrations/http/target.ts'
import type { HttpRequest } from '../../kernel/tool/manifest.ts'
import { HOSTILE_URLS, NOT_PUBLIC, PUBLIC } from './vectors.ts'

const EMULATOR = 'http://127.0.0.1:4100'
const ANYWHERE: HostScope = { hosts: ['*'], exemptOrigins: [] }

const refusal = (code: string, rule: string) => ({ ok: false, reason: { code, facts: { rule } } })

describe('addresses', () => {
  it.each(NOT_PUBLIC)('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))
  it.each(PUBLIC)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))
})

describe('targets', () => {
  it.each(HOSTILE_URLS)('refuses %s', (url, code, rule) => {
    expect(checkTarget(url, ANYWHERE)).toMatchObject(refusal(code, rule))
  })

  it.each([
    'https://example.com/',
    'https://example.com:443/x?y=1#z',
    'https://EXAMPLE.com/',
    'https://bücher.de/',
    'https://a.b.c.example.co.uk/',
  ])('passes %s', (url) => {
    expect(checkTarget(url, ANYWHERE)).toMatchObject({ ok: true, value: { exempt: false } })
  })

  it('passes a name with an umlaut however often it is asked', () => {
    const asked = Array.from({ length: 20_000 }, () => checkTarget('https://bücher.de/', ANYWHERE).ok)
    expect(asked.filter((passed) => !passed)).toHaveLength(0)
  })

  it.each([
    ['https://gmail.googleapis.com/x', true],
    ['https://gmail.googleapis.com:443/x', true],
    ['https://GMAIL.googleapis.com/x', true],
    ['https://evil-gmail.googleapis.com/', false],
    ['https://gmail.googleapis.com.evil.net/', false],
    ['https://googleapis.com/', false],
    ['https://x.gmail.googleapis.com/', false],
    ['https://www.googleapis.com/', false],
  ])('an exact host list answers %s with %s', (url, ok) => {
    const checked = checkTarget(url, { hosts: ['gmail.googleapis.com'], exemptOrigins: [] })
    if (ok) expect(checked.ok).toBe(true)
    else expect(checked).toMatchObject(refusal('host_not_allowed', 'allow_list'))
  })

  it.each([
    [['dav.example.com:8443'], 'https://dav.example.com:8443/x', null],
    [['dav.example.com'], 'https://dav.example.com:8443/x', 'port'],
    [['*'], 'https://dav.example.com:8443/x', 'port'],
    [['dav.example.com:8443'], 'https://dav.example.com/x', 'allow_list'],
    [['dav.example.com:8443'], 'https://dav.example.com:8444/x', 'port'],
  ])('a port of its own is open where it is listed: %j, %s', (hosts, url, rule) => {
    const checked = checkTarget(url, { hosts, exemptOrigins: [] })
    if (rule === null) expect(checked).toMatchObject({ ok: true, value: { exempt: false } })
    else expect(checked).toMatchObject(refusal('host_not_allowed', rule))
  })

  it.each([
    ['the origin itself', `${EMULATOR}/x`, null],
    ['another spelling of it', 'http://0x7f.1:4100/x', null],
    ['another port', 'http://127.0.0.1:4101/x', 'scheme_not_allowed'],
    ['another scheme', 'https://127.0.0.1:4100/x', 'address_private'],
    ['another address', 'http://127.0.0.2:4100/x', 'scheme_not_allowed'],
    ['another name of it', 'http://localhost:4100/x', 'scheme_not_allowed'],
    ['user info', 'http://a@127.0.0.1:4100/x', 'url_malformed'],
  ])('an exempt origin covers %s', (_, url, code) => {
    const checked = checkTarget(url, { hosts: ['*'], exemptOrigins: [EMULATOR] })
    if (code === null) expect(checked).toMatchObject({ ok: true, value: { exempt: true } })
    else expect(checked).toMatchObject({ ok: false, reason: { code } })
  })

  it.each([
    [['127.0.0.1:4100'], true],
    [['127.0.0.1'], false],
    [['gmail.googleapis.com'], false],
    [[], false],
  ])('an exemption does not widen the host list %j', (hosts, ok) => {
    const checked = checkTarget(`${EMULATOR}/x`, { hosts, exemptOrigins: [EMULATOR] })
    if (ok) expect(checked.ok).toBe(true)
    else expect(checked).toMatchObject(refusal('host_not_allowed', 'allow_list'))
  })

  it.each(['null', 'blob:http://127.0.0.1:4100', 'file:///', '*', ''])(
    'an origin %j exempts nothing',
    (origin) => {
      const checked = checkTarget('file:///etc/passwd', { hosts: ['*'], exemptOrigins: [origin] })
      expect(checked).toMatchObject(refusal('scheme_not_allowed', 'https_only'))
    },
  )

  it('puts no part of the URL into a refusal', () => {
    const checked = checkTarget('https://user:hunter2@example.com/secret', ANYWHERE)
    expect(JSON.stringify(checked)).not.toMatch(/hunter2|secret|example/)
  })
})

describe('redirects', () => {
  const scope: HostScope = { hosts: ['*'], exemptOrigins: [EMULATOR, 'http://127.0.0.1:4200'] }
  const headers = { Authorization: 'Bearer t', Accept: 'text/html', 'X-Api-Key': 'k' }

  function redirect(
    from: string,
    to: string | undefined,
    more: Partial<HttpRequest> & { status?: number } = {},
  ) {
    const target = checkTarget(from, scope)
    if (!target.ok) throw new Error('the start must be lawful')
    const { status = 302, method = 'GET', body } = more
    const request = { method, headers, ...(body === undefined ? {} : { body }) }
    return nextHop({ target: target.value, request }, { status, location: to }, scope)
  }

  it.each(HOSTILE_URLS.filter(([url]) => urlOf(url) !== null))('refuses one to %s', (url) => {
    expect(redirect('https://start.example.com/', url).ok).toBe(false)
  })

  it.each([
    ['no location', undefined, 'redirect_refused', 'location'],
    ['no URL', 'https://', 'redirect_refused', 'location'],
    ['plain http', 'http://example.com/', 'scheme_not_allowed', 'https_only'],
    ['metadata', 'https://169.254.169.254/', 'address_private', 'address_literal'],
    ['user info', 'https://a:b@example.com/', 'url_malformed', 'user_info'],
    ['an exempt origin', `${EMULATOR}/x`, 'redirect_refused', 'exempt_origin'],
    ['a relative path of odd characters', '\\\\127.0.0.1\\x', 'address_private', 'address_literal'],
  ])('refuses %s', (_, to, code, rule) => {
    expect(redirect('https://start.example.com/', to)).toMatchObject(refusal(code, rule))
  })

  it('refuses one exempt origin pointing into another', () => {
    expect(redirect(`${EMULATOR}/a`, 'http://127.0.0.1:4200/b')).toMatchObject(
      refusal('redirect_refused', 'exempt_origin'),
    )
  })

  it('follows within one exempt origin', () => {
    expect(redirect(`${EMULATOR}/a`, '/b')).toMatchObject({ ok: true, value: { target: { exempt: true } } })
  })

  it.each([301, 302, 307, 308])('asks a read with a body again on %i, of the same origin alone', (status) => {
    const asked = { method: 'REPORT', body: 'x', status } as const
    expect(redirect('https://a.example.com/', '/b', asked)).toMatchObject({
      value: { request: { method: 'REPORT', body: 'x', headers } },
    })
    expect(redirect('https://a.example.com/', 'https://b.example.com/', asked)).toMatchObject(
      refusal('redirect_refused', 'origin'),
    )
  })

  it.each([301, 302, 307, 308])('refuses to send a write again on %i', (status) => {
    const hop = redirect('https://a.example.com/', '/b', { method: 'POST', body: 'x', status })
    expect(hop).toMatchObject(refusal('redirect_refused', 'write'))
  })

  it('follows 303 after a write as a GET without its body', () => {
    const hop = redirect('https://a.example.com/', '/b', { method: 'POST', body: 'x', status: 303 })
    expect(hop).toMatchObject({ ok: true, value: { request: { method: 'GET' } } })
    expect(JSON.stringify(hop)).not.toContain('"x"')
  })

  it('keeps headers on the same origin and drops all but what the next host needs on another', () => {
    const same = redirect('https://a.example.com/', 'https://a.example.com/b')
    const other = redirect('https://a.example.com/', 'https://b.example.com/')
    expect(same).toMatchObject({ value: { request: { headers } } })
    expect(other.ok && other.value.request.headers).toEqual({ Accept: 'text/html' })
  })
})
