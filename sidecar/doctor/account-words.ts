/**
 * Findings of `pfar doctor` about the owner's accounts: whether each was reached, and what to do. Pure. Called by
 * doctor-command.ts.
 */
import type { AccountCheck } from './account-look.ts'
import { bad, type Finding, good } from './finding.ts'

export function accountFindings(checks: readonly AccountCheck[]): readonly Finding[] {
  return checks.map(findingOf)
}

function findingOf(check: AccountCheck): Finding {
  const { account, role, server, trouble, credential } = check
  const part = role === null ? account : `${account} ${role}`
  if (trouble !== null) return bad(part, `${server} ${TROUBLES[trouble] ?? UNREACHED}`)
  if (credential === 'missing')
    return bad(part, `${server} answers, and nothing is stored to get in with: ${againFor(check)}`)
  if (credential === 'refused')
    return bad(
      part,
      `${server} answers, and did not take your password when it was last used: ${rotate(check)}`,
    )
  return good(part, `${server} answers.`)
}

const UNREACHED =
  'cannot be reached: is that server on, is this machine on its network, and is the address in config.toml right?'

const TROUBLES: Readonly<Record<string, string>> = {
  response_timeout: 'does not answer in time: is that server on, and is this machine on its network?',
  certificate_changed:
    'shows another certificate than the one that you confirmed. If you renewed it, write its fingerprint into config.toml; if not, trust nothing there: it was told nothing.',
  certificate_invalid:
    'cannot prove who it is: its certificate does not fit its name, or nobody vouches for it. It was told nothing.',
  address_private:
    'leads into a private network. For a server of your own network its address belongs into config.toml, in figures.',
}

function rotate({ renew }: AccountCheck): string {
  return `\`pfar secret rotate ${renew}\` takes another.`
}

function againFor({ account, renew }: AccountCheck): string {
  return account === renew
    ? `\`pfar connect ${renew}\`.`
    : 'take its lines out of config.toml and connect it again with `pfar connect`.'
}
