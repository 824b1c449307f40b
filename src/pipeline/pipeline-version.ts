/**
 * The stages in their order, and their versions. Raising one rebuilds older output in the background. Declared apart from
 * the stages, because each start of a service needs the versions, and loading the stages takes 0.2 s (decision 117).
 */
const STAGE_VERSIONS = { parse: 19, segment: 4, extract: 30, embed: 1, index: 5 }

export type StageName = keyof typeof STAGE_VERSIONS

/** Names and versions of the stages and the embedding space; changes whenever the output may change. */
export function pipelineVersion(spaceId: string): string {
  const stages = Object.entries(STAGE_VERSIONS).map(([name, version]) => `${name}@${version}`)
  return [...stages, spaceId].join(' ')
}
