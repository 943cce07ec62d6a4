/** The mail account, whose clients load with the first mail that is read or written. Must not hold a password. Called by home-tools.ts. */
import type { MailAccount, MailPowers } from '../../integrations/tools/email/mailbox-port.ts'
import type { Config } from '../config/config.ts'
import { serverName } from './mail-settings.ts'

export function createLazyMail({ mail: settings }: Config): MailPowers {
  const load = async (): Promise<MailPowers> => (await import('./mail-account.ts')).createMailPowers(settings)
  const compose: MailPowers['compose'] = async (...letter) => (await load()).compose(...letter)
  const digest: MailPowers['digest'] = async (bytes) => (await load()).digest(bytes)
  if (settings === null) return { account: null, compose, digest }
  const account = async (): Promise<MailAccount> => {
    const { account: loaded } = await load()
    if (loaded === null) throw new Error('the account is configured')
    return loaded
  }
  const { address, imap, smtp } = settings
  return {
    ...{ compose, digest },
    account: {
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
    },
  }
}
