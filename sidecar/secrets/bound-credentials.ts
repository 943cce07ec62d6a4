/**
 * When a credential is given to nobody, whatever asks for it: to servers that it was not given for, and while its service is switched off. Must not
 * open a secret. Called by home-tools.ts.
 */
import type {
  CredentialRequest,
  CredentialSource,
  IssuedCredential,
} from '../../integrations/tools/credentials.ts'
import { err, type Result } from '../../kernel/flow/verdict.ts'
import type { Config } from '../config/config.ts'
import { serverName } from '../mail/mail-settings.ts'
import { GOOGLE, MAIL, vaultName, vaultNameOf } from './vault-names.ts'

/**
 * The password of the mail account goes to the servers that it was given for alone: a configuration that names others by now does not get it. Over
 * HTTP the client of the call sees to that; mail has connections of its own.
 */
export function boundToServers(source: CredentialSource, config: Pick<Config, 'mail'>): CredentialSource {
  return {
    has: (tool) => source.has(tool),
    issue: issuedToServers((request) => source.issue(request), config),
  }
}

/** The same for whatever issues it. */
export function issuedToServers<R extends Pick<CredentialRequest, 'credential' | 'account'>>(
  issue: (request: R) => Promise<Result<IssuedCredential>>,
  { mail }: Pick<Config, 'mail'>,
): (request: R) => Promise<Result<IssuedCredential>> {
  if (mail === null) return issue
  const servers = [serverName(mail.imap), serverName(mail.smtp)]
  return async (request) => {
    const issued = await issue(request)
    const isMail = request.credential === MAIL && [null, mail.address].includes(request.account)
    if (!issued.ok || !isMail || servers.every((server) => issued.value.hosts.includes(server))) return issued
    return err('credential_mismatch', { credential: MAIL, rule: 'host' })
  }
}

/** One mailbox or calendar of a service that is switched off is not opened by a tool that opens those of others, too. */
export function whileOn(
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

/** Whether the service of this secret is switched off. `name`: as the vault has it. */
export function isSecretOff(config: Config, off: readonly string[], name: string): boolean {
  return off.some((service) => secretsOf(config, service).includes(name))
}

/** Names in the vault of everything that is stored for a service: one for each of its accounts. */
export function secretsOf(config: Config, service: string): readonly string[] {
  const accounts = service === GOOGLE ? config.google.accounts.map(({ credential }) => credential) : []
  return [vaultName(config, service), ...accounts]
}
