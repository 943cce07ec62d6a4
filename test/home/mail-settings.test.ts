/** Where an address has its servers: what is said of a domain whose mail is at a service that cannot be connected yet. */
import { describe, expect, it } from 'vitest'
import { findSettings } from '../../sidecar/mail/find-settings.ts'

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
