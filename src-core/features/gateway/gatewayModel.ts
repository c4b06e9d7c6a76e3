import type { GatewayModelView } from '../../contract/gateway.ts';
import { environmentModel } from './environmentModel.ts';
import type { ResolvedSettings } from './resolveSettings.ts';
import type { ChatModel } from '../models/chatModel.ts';
import { describeThrown } from '../../base/describeThrown.ts';

/** The workbench's models. `modelOf` throws a `RequestError` if there is none with that id. */
export interface KnownModels {
  modelOf(id?: string): ChatModel;
  defaultId(): string;
}

/** What the gateway's model is chosen from. */
export interface GatewayModelOptions {
  models: KnownModels;
  /** Chosen by the user. */
  modelId: string | undefined;
  resolved: ResolvedSettings;
}

/** The model that answers, and where it was chosen. `model` throws a `RequestError` if it is not available. */
export interface ChosenModel {
  view: () => GatewayModelView;
  model: () => ChatModel;
}

/** The model chosen in the settings, else the environment's, else the workbench's default model. */
export function chooseModel({ models, modelId, resolved }: GatewayModelOptions): ChosenModel {
  const { baseUrl, model: name, apiKey } = resolved.values;
  const isEnvironments = resolved.list.some(
    ({ key, origin }) => (key === 'baseUrl' || key === 'model') && origin === 'environment',
  );
  if (modelId === undefined && isEnvironments) {
    const model = (): ChatModel => environmentModel({ baseUrl, model: name, apiKey });
    return {
      model,
      view: () => ({ origin: 'environment', name, ...problemOf(model) }),
    };
  }
  const id = (): string => modelId ?? models.defaultId();
  const model = (): ChatModel => models.modelOf(id());
  const origin = modelId === undefined ? 'default' : 'settings';
  return { model, view: () => ({ origin, id: id(), name: nameOf(model, id()), ...problemOf(model) }) };
}

function nameOf(model: () => ChatModel, id: string): string {
  try {
    return model().name;
  } catch {
    return id; // The model was removed; `problemOf` reports it.
  }
}

function problemOf(model: () => ChatModel): { error?: string } {
  try {
    model();
    return {};
  } catch (error) {
    return { error: describeThrown(error) };
  }
}
