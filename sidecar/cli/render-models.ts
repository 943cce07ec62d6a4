/**
 * How models look in a terminal. Pure: text in, text out; nothing that could move the cursor passes. Called by the `models`
 * command.
 */
import type { ModelsView, TemplateView } from '../model-methods.ts'
import type { ModelView } from '../models/model-health.ts'
import { terminalLine } from './terminal-text.ts'

const STATES: Readonly<Record<ModelView['state'], string>> = Object.freeze({
  works: 'in order',
  resting: 'left alone for some minutes, as it failed',
  trying: 'about to be tried again',
  misconfigured: 'refuses how it is set up: look at its key and its model',
})

export function renderModels({ models, templates, trouble }: ModelsView): string {
  const wrong =
    trouble === null
      ? []
      : [`${terminalLine(trouble.key)} ${terminalLine(trouble.problem)}. Until then rules alone answer.`, '']
  const listed = models.map(renderModel)
  return [
    ...wrong,
    ...listed,
    `${models.filter(({ place }) => place !== null).length + 1}. rules · on this machine, without a network · last`,
    '',
    ...templates.map(renderTemplate),
  ].join('\n')
}

function renderModel({ name, place, model, kind, locality, host, clearance, state }: ModelView): string {
  const at = place === null ? '-' : `${place}.`
  const where = locality === 'home' ? 'at home' : 'in a cloud'
  const first = `${at} ${name} · ${kind} ${model} · ${where}, ${host}`
  return `${terminalLine(first)}\n   ${terminalLine(`reads up to ${clearance} · ${STATES[state]}`)}`
}

function renderTemplate({ id, ceiling, provider, asks, acknowledgedUntil }: TemplateView): string {
  const reads =
    acknowledgedUntil === null ? 'no' : `yes, until ${new Date(acknowledgedUntil).toISOString().slice(0, 10)}`
  const wish = asks && acknowledgedUntil === null ? ' (its file asks for it)' : ''
  const guarded = ceiling === 'public' || ceiling === 'internal'
  const cloud = guarded ? 'nothing private is read' : `private data to a cloud: ${reads}${wish}`
  return terminalLine(`${id} · up to ${ceiling} · asks ${provider} · ${cloud}`)
}
