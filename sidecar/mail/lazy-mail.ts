/**
 * The owner's mailboxes; the mail clients load when a mail is first read or written. Must not hold a password. Called by
 * home-tools.ts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { MailAccount, MailPowers, NamedMailbox } from '../../integrations/tools/email/mailbox-port.ts'
import { ACCOUNT_NAME } from '../calendar/calendar-settings.ts'
import type { Config } from '../config/config.ts'
import { GOOGLE, MAIL } from '../secrets/vault-names.ts'
import { accountNameOf, ownMailboxes } from './mail-accounts.ts'
import { type MailSettings, serverName } from './mail-settings.ts'

export function createLazyMail(config: Config): MailPowers {
  const load = async (): Promise<MailPowers> => (await import('./mail-account.ts')).createMailPowers(null)
  const compose: MailPowers['compose'] = async (...letter) => (await load()).compose(...letter)
  const digest: MailPowers['digest'] = async (bytes) => (await load()).digest(bytes)
  const all = mailboxesOf(config)
  const account = all[0]?.own ?? null
  if (all.length < 2) return { account, compose, digest }
  const standard = config.mailDefault ?? all[0]?.name ?? ''
  return { account, compose, digest, several: { all, standard, late } }
}

const late = (wait: number): Promise<void> => pause(wait, undefined, { ref: false })

/** IMAP mailboxes first, then Google's. The demo's mail is omitted if a real account exists. */
function mailboxesOf(config: Config): readonly NamedMailbox[] {
  const own = ownMailboxes(config).map(({ name, secret, account, settings }): NamedMailbox => {
    const { name: as, also, signature } = settings
    const sender = { name: as, ...(also && { addresses: also }), ...(signature != null && { signature }) }
    return {
      ...{
        name,
        secret,
        account,
        called: calledBy(settings.address),
        credential: MAIL,
        own: lazyAccount(settings),
      },
      sender: account === null ? null : sender,
    }
  })
  const addresses = ownMailboxes(config).map(({ settings }) => settings.address.toLowerCase())
  const taken = own.map(({ name }) => name)
  const google = googleMailboxes(config).filter(
    ({ called }) => !called.some((one) => addresses.includes(one)),
  )
  return [...own, ...google.map((one) => ({ ...one, name: freeName(one.name, taken) }))]
}

/** Google accounts with mail. An account that was connected for its calendar only has no mail and is omitted. */
function googleMailboxes({ google, mail }: Config): readonly NamedMailbox[] {
  const { account, accounts, demo } = google
  if (demo) return []
  const isFirst = account !== null || (mail === null && accounts.length > 0)
  const names = [
    ...(isFirst ? [{ name: account ?? GOOGLE, account: null, secret: google.credential ?? GOOGLE }] : []),
    ...accounts.map(({ name, credential }) => ({ name, account: name, secret: credential })),
  ]
  return names.map(({ name, account: one, secret }) => ({
    ...{ name: shortName(name), account: one, called: calledBy(name) },
    ...{ credential: GOOGLE, secret, own: null, sender: {} },
  }))
}

function shortName(name: string): string {
  if (name.includes('@')) return accountNameOf(name, [])
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 20)
  return ACCOUNT_NAME.test(plain) ? plain : GOOGLE
}

function freeName(name: string, taken: string[]): string {
  const names = [name, ...taken.map((_, at) => `${name}-${at + 2}`)]
  const free = names.find((one) => !taken.includes(one)) ?? name
  taken.push(free)
  return free
}

/** Names by which the owner may refer to the mailbox: the address, its domain, and the domain's first label. */
function calledBy(name: string): readonly string[] {
  const lower = name.toLowerCase()
  const domain = lower.includes('@') ? (lower.split('@').at(-1) ?? '') : ''
  const label = domain.split('.')[0] ?? ''
  return [...new Set([lower, domain, label])].filter((one) => one !== '')
}

function lazyAccount(settings: MailSettings): MailAccount {
  const account = async (): Promise<MailAccount> =>
    (await import('./mail-account.ts')).createMailAccount(settings)
  const { address, imap, smtp } = settings
  return {
    address,
    hosts: [...new Set([serverName(imap), serverName(smtp)])],
    check: async (credential) => (await account()).check(credential),
    open: (credential) => {
      const opened = account().then((loaded) => loaded.open(credential))
      return {
        find: async (query) => (await opened).find(query),
        folders: async () => (await opened).folders(),
        newFolder: async (name) => (await opened).newFolder(name),
        makeFolder: async (name, place) => (await opened).makeFolder(name, place),
        unread: async () => (await opened).unread(),
        read: async (id) => (await opened).read(id),
        files: async (id, most, pick) => (await opened).files(id, most, pick),
        mark: async (ids, as) => (await opened).mark(ids, as),
        move: async (ids, to) => (await opened).move(ids, to),
        draft: async (letter) => (await opened).draft(letter),
        send: async (letter) => (await opened).send(letter),
      }
    },
  }
}
