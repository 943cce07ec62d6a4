/**
 * Withholds a credential from every caller if its servers are not the ones that it was stored for, or while its service is
 * switched off. Must not open a secret. Called by home-tools.ts.
 */
import type {
  CredentialRequest,
  CredentialSource,
  IssuedCredential,
} from '../../integrations/tools/credentials.ts'
import { err, type Result } from '../../kernel/flow/verdict.ts'
import type { Config } from '../config/config.ts'
import { ownMailboxes } from '../mail/mail-accounts.ts'
import { serverName } from '../mail/mail-settings.ts'
import { GOOGLE, MAIL, mailboxFor, vaultName, vaultNameOf } from './vault-names.ts'

/**
 * Issues a mailbox's password only for the servers that it was stored for: if the configuration names others now, it is refused.
 * For HTTP tools the client of the call checks this; mail has connections of its own.
 */
export function boundToServers(
  source: CredentialSource,
  config: Pick<Config, 'mail' | 'otherMail'>,
): CredentialSource {
  return {
    has: (tool) => source.has(tool),
    issue: issuedToServers((request) => source.issue(request), config),
  }
}

/** The same check for any function that issues a credential. */
export function issuedToServers<R extends Pick<CredentialRequest, 'credential' | 'account'>>(
  issue: (request: R) => Promise<Result<IssuedCredential>>,
  config: Pick<Config, 'mail' | 'otherMail'>,
): (request: R) => Promise<Result<IssuedCredential>> {
  return async (request) => {
    const issued = await issue(request)
    const mailbox = request.credential === MAIL ? mailboxFor(config, request.account) : undefined
    if (!issued.ok || mailbox === undefined) return issued
    const { imap, smtp } = mailbox.settings
    const servers = [serverName(imap), serverName(smtp)]
    if (servers.every((server) => issued.value.hosts.includes(server))) return issued
    return err('credential_mismatch', { credential: MAIL, rule: 'host' })
  }
}

/** Refuses a mailbox or calendar account whose service is switched off, also if the tool may open accounts of other services. */
export function exceptSwitchedOff(
  source: CredentialSource,
  { config, off }: { readonly config: Config; readonly off: () => readonly string[] },
): CredentialSource {
  const isOff = ({
    credential,
    account,
  }: {
    readonly credential: string
    readonly account: string | null
  }) => {
    const name = vaultNameOf(config, credential, account)
    return off().includes(credential) || isSecretOff(config, off(), name ?? '')
  }
  return {
    has: (tool) => source.has(tool),
    issue: async (request) =>
      isOff(request) ? err('service_off', { tool: request.tool }) : source.issue(request),
  }
}

/** Whether the service of this secret is switched off. `name`: name in the vault. */
export function isSecretOff(config: Config, off: readonly string[], name: string): boolean {
  return off.some((service) => secretsOf(config, service).includes(name))
}

/** Vault names of all secrets that are stored for a service: one for each of its accounts. */
export function secretsOf(config: Config, service: string): readonly string[] {
  const google = service === GOOGLE ? config.google.accounts.map(({ credential }) => credential) : []
  const mailboxes = service === MAIL ? ownMailboxes(config).map(({ secret }) => secret) : []
  return [...new Set([vaultName(config, service), ...google, ...mailboxes])]
}
