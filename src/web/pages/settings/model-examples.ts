/** The same as in docs/models.md; tests check each against the settings of models. */
export const MODEL_EXAMPLES: readonly {
  readonly id: string
  readonly title: string
  /** Steps before the lines work. */
  readonly first: string
  /** Lines for config.yaml. Keys are names of variables, never values. */
  readonly lines: string
}[] = [
  {
    id: 'ollama',
    title: 'Ollama',
    first: 'ollama pull qwen3:8b && ollama pull bge-m3',
    lines: `models:
  language:
    provider: openai-compatible
    model: qwen3:8b
    url: http://127.0.0.1:11434/v1
    reasoning: none        # leave it out for models without reasoning
    timeout_seconds: 290   # the maximum; for slow machines
  embedding:
    provider: openai-compatible
    model: bge-m3
    url: http://127.0.0.1:11434/v1
    dimensions: 1024
`,
  },
  {
    id: 'openai',
    title: 'OpenAI',
    first: 'npm install --global @ai-sdk/openai',
    lines: `models:
  language:
    provider: openai
    model: gpt-4.1-mini
    api_key: \${OPENAI_API_KEY}
    price: {input: 0.4, output: 1.6}
    budget: {dollars_per_day: 1}
  embedding:
    provider: openai
    model: text-embedding-3-small
    api_key: \${OPENAI_API_KEY}
    dimensions: 512
    price: {input: 0.02}
`,
  },
  {
    id: 'anthropic',
    title: 'Anthropic',
    first: 'npm install --global @ai-sdk/anthropic',
    lines: `models:
  language:
    provider: anthropic
    model: claude-haiku-4-5
    api_key: \${ANTHROPIC_API_KEY}
    price: {input: 1, output: 5}
    budget: {dollars_per_day: 2, per_source: {slack: {dollars_per_day: 0.5}}}
`,
  },
  {
    id: 'google',
    title: 'Google',
    first: 'npm install --global @ai-sdk/google',
    lines: `models:
  language:
    provider: google
    model: gemini-2.5-flash
    api_key: \${GEMINI_API_KEY}
  embedding:
    provider: google
    model: gemini-embedding-001
    api_key: \${GEMINI_API_KEY}
    dimensions: 768
`,
  },
  {
    id: 'mistral',
    title: 'Mistral',
    first: 'npm install --global @ai-sdk/mistral',
    lines: `models:
  language:
    provider: mistral
    model: mistral-small-latest
    api_key: \${MISTRAL_API_KEY}
  embedding:
    provider: mistral
    model: mistral-embed
    api_key: \${MISTRAL_API_KEY}
    dimensions: 1024
`,
  },
]
