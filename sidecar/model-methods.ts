/**
 * What the owner's terminal may ask of home about models (D-07): which there are and how they do, and his word on cloud
 * models for one template. Whoever can open the socket is the owner. Must not decide anything: the shell does. Called by
 * doors.ts.
 */
import * as z from 'zod/mini'
import type { Level } from '../kernel/flow/level.ts'
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import type { Powers } from '../kernel/powers/ports.ts'
import type { GrantView } from '../kernel/runtime/grants.ts'
import type { Shell } from '../kernel/runtime/shell.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import type { ModelView } from './models/model-health.ts'
import type { ModelsConfig } from './models/models-config.ts'
import type { Method } from './socket.ts'
import { method } from './socket-method.ts'

export interface TemplateView {
  readonly id: string
  readonly description: string
  readonly ceiling: Level
  /** `chain`, `local`, or the provider that is asked first. */
  readonly provider: string
  /** Its file asks for it, which acknowledges nothing. */
  readonly asks: boolean
  /** Until when cloud models may read what it reads above `internal` (epoch milliseconds); null: they may not. */
  readonly acknowledgedUntil: number | null
}

export interface ModelsView {
  readonly models: readonly ModelView[]
  readonly templates: readonly TemplateView[]
  readonly trouble: ModelsConfig['trouble']
}

export interface ModelMethodsInput {
  readonly shell: Pick<Shell, 'acknowledgeCloud' | 'grants' | 'revoke'>
  readonly powers: Pick<Powers, 'templates'>
  readonly views: () => readonly ModelView[]
  readonly trouble: ModelsConfig['trouble']
}

const OWNER = { principal: OWNER_PRINCIPAL, place: 'home' } as const
const id = z.string().check(z.minLength(1), z.maxLength(200))
const named = z.strictObject({ template: id })
const proposing = z.strictObject({ template: id, message: id })

export function createModelMethods({
  shell,
  powers,
  views,
  trouble,
}: ModelMethodsInput): ReadonlyMap<string, Method> {
  return new Map<string, Method>([
    [
      'models',
      async () =>
        ok<ModelsView>({
          models: views(),
          templates: templatesOf(powers, await shell.grants()),
          trouble,
        }),
    ],
    [
      'acknowledge',
      method(proposing, ({ message, template }) => shell.acknowledgeCloud({ ...OWNER, message }, template)),
    ],
    ['unacknowledge', method(named, ({ template }) => revokeAll(shell, template))],
  ])
}

/** Each that stands for it, if it was said more than once. Refusal: grant_missing where there is none. */
async function revokeAll(
  shell: ModelMethodsInput['shell'],
  template: string,
): Promise<Result<{ readonly grant: string }>> {
  let last: Result<{ readonly grant: string }> = err('grant_missing')
  for (const { id: grant } of standing(await shell.grants(), template))
    last = await shell.revoke(grant, OWNER_PRINCIPAL)
  return last
}

function templatesOf(
  { templates }: Pick<Powers, 'templates'>,
  grants: readonly GrantView[],
): readonly TemplateView[] {
  return templates.map(({ id: template, description, ceiling, inference }) => {
    const until = standing(grants, template).map(({ expiresAt }) => expiresAt)
    return {
      ...{ id: template, description, ceiling: ceiling.level, provider: inference.provider },
      ...{ asks: inference.asksForCloud, acknowledgedUntil: until.length === 0 ? null : Math.max(...until) },
    }
  })
}

function standing(grants: readonly GrantView[], template: string): readonly GrantView[] {
  return grants.filter(
    (grant) => grant.kind === 'cloud' && grant.template === template && grant.state === 'live',
  )
}
