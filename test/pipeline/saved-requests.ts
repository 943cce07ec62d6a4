/**
 * What shipped jobs need of the owner, as the files of those jobs say it: a saved request of each, and the tool that asks it. Holds no expectation. Called by the
 * tests of jobs.
 */
import { HTTP_MANIFEST } from '../../integrations/tools/http/manifest.ts'
import { createHttpTool } from '../../integrations/tools/http/run.ts'
import { fieldIn, type HttpSetting, requestName } from '../../integrations/tools/http/setting.ts'
import { createTool } from '../../integrations/tools/registered.ts'
import type { Tool } from '../../kernel/tool/manifest.ts'
import { world } from './job-world.ts'

export const exampleOf = (template: string): string =>
  world({}).powers.templates.find(({ id }) => id === template)?.job?.example ?? ''

/** What a job's file says may be typed at a terminal, as `pfar http save` takes it, of a service at another origin. */
export function settingOf(template: string, origin: string): HttpSetting {
  const {
    name = '',
    address = '',
    rest = '',
  } = /^pfar http save (?<name>\S+) '(?<address>https:[^']+)'(?<rest>.*)$/s.exec(exampleOf(template).trim())
    ?.groups ?? {}
  const fields = [...rest.matchAll(/ --field (\S+)/g)].map(([, field = '']) => {
    const read = fieldIn(field)
    if (read === null) throw new Error(field)
    return read
  })
  const { pathname, search } = new URL(address)
  const saved = {
    name: requestName(name) ?? '',
    label: 'sensitive',
    fields,
    url: `${origin}${pathname}${search}`,
  } as const
  return { hosts: [], saved: [saved] }
}

/** With its words, as home has it. */
export const httpTool = (http: HttpSetting): Tool =>
  createTool({ manifest: HTTP_MANIFEST, create: () => createHttpTool({ http }) }, {} as never)
