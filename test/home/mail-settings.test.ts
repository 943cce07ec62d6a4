/** Where an address has its servers: what is said of a domain whose mail is at a service that cannot be connected yet. */
import { afterEach, describe, expect, it } from 'vitest'
import { speak } from '../../integrations/languages/speak-home.ts'
import { LANGUAGE_CODES } from '../../kernel/wording/languages.ts'
import { tell } from '../../sidecar/language/wording.ts'
import { findSettings, readProviders } from '../../sidecar/mail/find-settings.ts'

const NONE = async () => []
const at = (exchange: string) => async () => [{ exchange }]

describe('an address at Microsoft', () => {
  it.each([
    ['ada@outlook.com', NONE],
    ['ada@hotmail.de', NONE],
    ['ada@firm.example', at('firm-example.mail.protection.outlook.com')],
    ['ada@firm.example', at('FIRM-example.mail.protection.OUTLOOK.com')],
  ])('%s: not yet, and what can be done', async (address, exchangers) => {
    expect(await findSettings(address, NONE, exchangers)).toMatchObject({
      how: 'closed',
      why: expect.stringMatching(/cannot be connected yet[\s\S]*forward your mail/),
    })
  })

  it.each([
    ['another service', at('mx.firm.example')],
    ['a name that only looks like it', at('mail.protection.outlook.com.evil.example')],
    ['no answer', () => Promise.reject(new Error('no'))],
  ])('a domain of %s is not kept out', async (_, exchangers) => {
    expect(await findSettings('ada@firm.example', NONE, exchangers)).toBeNull()
  })

  it('servers that the domain names itself count first', async () => {
    const srv = async () => [{ name: 'imap.firm.example', port: 993 }]
    const found = await findSettings('ada@firm.example', srv, at('x.mail.protection.outlook.com'))
    expect(found).toMatchObject({ how: 'dns', sure: true })
  })
})

describe('an address at Zoho', () => {
  it.each([
    ['ada@zoho.com', 'imap.zoho.com', 'smtp.zoho.com'],
    ['ada@zohomail.eu', 'imap.zoho.eu', 'smtp.zoho.eu'],
  ])('%s: its own servers, by an app password', async (address, imap, smtp) => {
    expect(await findSettings(address, NONE, NONE)).toMatchObject({
      ...{ how: 'known', imap: { host: imap, port: 993 }, smtp: { host: smtp, port: 465 }, user: address },
      hint: expect.stringContaining('app password'),
    })
  })
})

describe('a domain of its owner', () => {
  const google = { title: 'Gmail', imap: { host: 'imap.gmail.com', port: 993 } }
  it.each([
    ['ASPMX.L.GOOGLE.COM', google],
    ['alt1.aspmx.l.google.com', google],
    ['in1-smtp.messagingengine.com', { title: 'Fastmail', imap: { host: 'imap.fastmail.com', port: 993 } }],
    ['mx.zoho.eu', { title: 'Zoho Mail', imap: { host: 'imappro.zoho.eu', port: 993 } }],
    ['mx00.kundenserver.de', { title: 'IONOS', imap: { host: 'imap.ionos.de', port: 993 } }],
    ['smtpin.rzone.de', { title: 'STRATO', smtp: { host: 'smtp.strato.de', port: 465 } }],
  ])('whose mail goes to %s is at a provider of the list', async (exchange, found) => {
    expect(await findSettings('Ada@firm.example', NONE, at(exchange))).toMatchObject({
      ...{ how: 'mx', sure: true, user: 'Ada@firm.example', ...found },
    })
  })

  it('at Proton says what that needs', async () => {
    expect(await findSettings('ada@firm.example', NONE, at('mail.protonmail.ch'))).toEqual({
      ...{ how: 'closed', why: expect.stringContaining('Bridge') },
    })
  })

  it.each([
    ['servers of its own before them', 'imap.firm.example', { how: 'dns', sure: true }],
    ['a provider of the list before servers elsewhere', 'imap.evil.example', { how: 'mx', title: 'Gmail' }],
  ])('has %s', async (_, name, found) => {
    const srv = async () => [{ name, port: 993 }]
    expect(await findSettings('ada@firm.example', srv, at('aspmx.l.google.com'))).toMatchObject(found)
  })

  it('at nobody known, with servers elsewhere: they are only proposed', async () => {
    const srv = async () => [{ name: 'mail.host.example', port: 993 }]
    expect(await findSettings('ada@firm.example', srv, at('mx.host.example'))).toMatchObject({
      ...{ how: 'dns', sure: false, imap: { host: 'mail.host.example', port: 993 } },
    })
  })

  it('with a name that only looks like a provider’s is at none', async () => {
    for (const name of ['google.com.evil.example', 'evilgoogle.com', 'google.com'])
      expect(await findSettings('ada@firm.example', NONE, at(name))).toBeNull()
  })
})

describe('how to get a password', () => {
  afterEach(() => speak('en'))
  it.each([
    // By the other way that there is, Gmail sends nothing.
    [
      'en',
      'ada@gmail.com',
      /^Make an app password[\s\S]*With it I can send as well[\s\S]*`pfar connect google`/,
    ],
    [
      'de',
      'ada@gmail.com',
      /^Mach ein App-Passwort[\s\S]*Damit kann ich auch senden[\s\S]*`pfar connect google`/,
    ],
    ['de', 'ada@posteo.de', /^Verlangt wird dein Passwort/],
  ] as const)('is said in %s: %s', async (language, address, hint) => {
    await speak(language)
    expect(await findSettings(address, NONE, NONE)).toMatchObject({ hint: expect.stringMatching(hint) })
  })
  it('is said of every provider, in each language', async () => {
    for (const language of LANGUAGE_CODES) {
      await speak(language)
      for (const { hint } of readProviders().providers) expect(tell(hint)).not.toBe('')
      for (const { why } of readProviders().closed) expect(tell(why)).not.toBe('')
    }
  })
})
