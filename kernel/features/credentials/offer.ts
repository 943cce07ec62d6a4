/**
 * Suggestions after a request that no tool can do (I-39): an installed service that is not connected, or a
 * web service that the owner could name. Only for the owner, on a line where it can be connected. Must not
 * connect anything. Called by synthesize.ts.
 */
import { type Labeled, test } from '../../flow/labeled.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions, CredentialService, OwnerChats, Tools } from '../../powers/ports.ts'
import type { Task } from '../../task/task.ts'
import type { Template } from '../../template/template.ts'
import type { RegisteredAction } from '../../tool/registry.ts'
import { tell } from '../../wording/words.ts'
import { offWords } from '../tools/switched.ts'

/** A request may name several; a longer list would be an advertisement. */
const MOST = 2
/** What a request to some web service says of it. */
const INTERFACE = /\b(?:apis?|endpoints?|web ?services?|webhooks?|schnittstellen?|webdienste?)\b|https?:\/\//i

export type OfferPorts = Actions & Tools & CredentialService & OwnerChats

/**
 * Sentences of the kernel; none where a step ran, for anyone but the owner, and where nothing can be
 * connected.
 */
export function offersFor(
  powers: OfferPorts,
  task: Task,
  { template, request }: { readonly template: Template; readonly request: Labeled<string> },
): readonly string[] {
  const isEmpty = task.path === 'full' && task.plan !== null && task.plan.steps.length === 0
  const isOwn = template.principalClass === 'owner' && powers.adminSinks.includes(task.sink)
  if (!isEmpty || !isOwn || powers.credentials === undefined) return []
  const actions = template.tools.flatMap((id) => {
    const found = lookUpAction(powers.registry, id)
    return found.ok ? [found.value] : []
  })
  const lacking = new Map(
    actions
      .filter((action) => powers.tools.availability(action) === 'credential')
      .flatMap((action) => serviceOf(action)),
  )
  const named = [...lacking].filter(([service, title]) =>
    test(request, (words) => says(words, service) || says(words, title)),
  )
  if (named.length > 0)
    return named
      .slice(0, MOST)
      .map(([service, title]) => tell('credentials.offer', { service, title: capital(title) }))
  const off = actions.filter((action) => powers.tools.availability(action) === 'off').flatMap(serviceOf)
  const meant = off.find(([service, title]) =>
    test(request, (words) => says(words, service) || says(words, title)),
  )
  if (meant !== undefined) return [offWords(meant[1])]
  const isOpen = actions.some(({ called }) => called !== undefined)
  return isOpen && test(request, (words) => INTERFACE.test(words)) ? [tell('credentials.offer_own')] : []
}

/** Name of the credential, and the service's own name. */
function serviceOf({
  tool: { credential, connect },
}: RegisteredAction): readonly (readonly [string, string])[] {
  return credential === null || connect === undefined ? [] : [[credential, connect.title]]
}

/** As words of their own, whatever the case. */
function says(words: string, name: string): boolean {
  const plain = (text: string): string =>
    ` ${text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()} `
  return plain(words).includes(plain(name))
}

function capital(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1)
}
