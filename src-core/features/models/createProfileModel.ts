import type { Clock } from '../../base/clock.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import { ChatModelError, type ChatModel, type ChatRequest } from './chatModel.ts';
import type { ModelProfile, ServerModelProfile } from '../../contract/modelInfo.ts';
import { createOpenAiCompatibleModel } from './openAiCompatible/openAiCompatibleModel.ts';
import type { OpenAiCompatibleModelOptions } from './openAiCompatible/openAiCompatibleModel.ts';
import { modelPresets } from './presets.ts';
import { createScriptedModel } from './scriptedModel.ts';

export interface ProfileModelOptions {
  profile: ModelProfile;
  /** Asked at each step, so that a key that was just set or taken away counts. */
  getKey: () => Promise<string | undefined>;
  clock?: Clock | undefined;
}

/** The chat model of a profile. What a request leaves open (temperature, limits) is the profile's. */
export function createProfileModel({ profile, getKey, clock }: ProfileModelOptions): ChatModel {
  if (profile.kind === 'scripted')
    return createScriptedModel({ script: profile.script, name: profile.label, ...(clock && { clock }) });
  return {
    name: profile.label,
    async generate(request) {
      const model = await open(profile, getKey, clock);
      return model.generate(withDefaults(request, profile));
    },
  };
}

/** How the model of a profile is spoken to. */
export function serverModelOptions(
  profile: ServerModelProfile,
  apiKey: string | undefined,
): OpenAiCompatibleModelOptions {
  const { baseUrl, model, stream, label, preset } = profile;
  const { maxTokensField } = modelPresets.find(({ id }) => id === preset) ?? {};
  return { baseUrl, model, stream, name: label, apiKey, maxTokensField };
}

async function open(
  profile: ServerModelProfile,
  getKey: ProfileModelOptions['getKey'],
  clock: Clock | undefined,
): Promise<ChatModel> {
  try {
    return createOpenAiCompatibleModel({ ...serverModelOptions(profile, await getKey()), clock });
  } catch (error) {
    // A locked keyring, or an address that an older version took.
    throw new ChatModelError('unreachable', `${profile.label}: ${describeThrown(error)}`, { cause: error });
  }
}

function withDefaults(request: ChatRequest, profile: ServerModelProfile): ChatRequest {
  const { temperature, maxTokens, totalMs, chunkMs } = profile;
  return {
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    totalMs,
    chunkMs,
    ...request,
  };
}
