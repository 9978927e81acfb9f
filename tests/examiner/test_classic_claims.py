"""Classic wrong claims, such as a definition swapped with its opposite, are recognized offline as misconceptions.

Most wordings here were written before the phrasings in the question files, and not to match them. Some right claims
were added because a phrasing had matched them.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from interviewer.bank.load import load_questions
from interviewer.examiner.offline import OfflineExaminer, hear
from interviewer.session.assessment import Assessment, State
from interviewer.session.question import Question
from tests.recorded import whole_bank

pytestmark = pytest.mark.content


@dataclass(frozen=True)
class Claim:
    """A wrong claim, the questions that challenge it, and answers that do and do not make the claim."""

    misconception: str
    questions: tuple[str, ...]
    wrong: tuple[str, ...]
    right: tuple[str, ...]


CLAIMS = (
    Claim(
        "lambda_ends_swapped",
        (
            "td_n_step_and_gae",
            "bias_and_variance_of_returns",
            "advantage_and_baseline",
            "critic_for_language_models",
            "why_actor_critic",
        ),
        (
            "Setting lambda to 0 gives you the full Monte Carlo return, and setting it to 1 leaves just the TD error.",
            "At λ = 1 we only look one step ahead, so it has low variance but leans on the critic.",
            "With lambda=0 the estimate is unbiased but noisy. With lambda=1 it's biased but stable.",
        ),
        (
            "Setting lambda to 1 gives you the full Monte Carlo return, and setting it to 0 leaves just the TD error.",
            "It is not true that lambda = 0 is Monte Carlo.",
            "People often swap the two ends and say that lambda 1 is the one-step TD error.",
            "λ=0 is low variance but biased, λ=1 is unbiased but noisy.",
        ),
    ),
    Claim(
        "double_networks_swapped",
        ("overestimation_and_double_dqn", "q_learning_and_dqn"),
        (
            "In Double DQN the target network picks the best next action and the online network says what it's worth.",
            "Double DQN takes the argmax from the target net and evaluates that action with the online net.",
            "The action is chosen by the frozen copy and then its value is read from the current network.",
        ),
        (
            "In Double DQN the online network picks the best next action and the target network says what it's worth.",
            "The target network does not choose the action there, it only evaluates it.",
            "Many people say that the target network selects the action, but it is the other way around.",
            "In DQN the target network picks the maximum itself, in Double DQN the online network picks.",
        ),
    ),
    Claim(
        "staleness_is_idle_time",
        (
            "staleness_in_async_rl",
            "async_sync_bottlenecks",
            "too_many_rollout_actors",
            "async_frameworks_compared",
        ),
        (
            "Staleness means the GPUs are doing nothing while they wait for the slowest rollout.",
            "By staleness I mean how long the trainer sits idle between batches.",
            "A system is stale when its workers are underutilized.",
        ),
        (
            "Staleness means how many policy versions lie between the policy that sampled the data and the learner.",
            "Staleness is not about idle GPUs, it is about which version generated the sample.",
            "Async training keeps the GPUs from sitting idle, and the price is staleness.",
        ),
    ),
    Claim(
        "collapse_is_a_rise",
        ("entropy_collapse", "exploration_training_and_test_time"),
        (
            "Entropy collapse is when the entropy of the policy blows up during training.",
            "Collapse means the policy gets more and more random.",
            "When entropy collapses, it grows until the outputs are almost uniform.",
        ),
        (
            "Entropy collapse is when the entropy of the policy drops toward zero during training.",
            "Entropy collapse does not mean that the entropy grows.",
            "When entropy collapses, the policy is nearly deterministic; raising the upper clip makes it grow again.",
        ),
    ),
    Claim(
        "large_k_solves_everything",
        ("capability_frontier_and_pass_at_k", "maxrl_and_simko", "exploration_training_and_test_time"),
        (
            "If you draw enough samples, pass@k gets to 100 percent on any problem.",
            "With k going to infinity every prompt is eventually solved.",
            "Pass@k always converges to one as k grows, for all tasks.",
        ),
        (
            "Pass@k saturates below 1 on some problems, no matter how many samples you draw.",
            "It is wrong that every prompt is solved for a large enough k.",
            "Where a correct answer has positive probability, pass@k tends to 1.",
            "pass@k converges to 1 for every question with p > 0.",
            "With full support, pass@k converges to 1 on every prompt.",
            "pass@k converges to 1 on every prompt whose success probability is above 0.",
        ),
    ),
    Claim(
        "value_is_immediate_reward",
        ("mdp_and_bellman",),
        (
            "The value of a state is simply the reward you get right there.",
            "Reward tells you how good a state is in the long run, and value is what you receive immediately.",
            "V(s) is the payoff of the next step only.",
        ),
        (
            "The value of a state is the discounted reward you expect from there on.",
            "The value is not just the immediate reward.",
            "Reward is what you receive immediately, and value tells you how good a state is in the long run.",
        ),
    ),
    Claim(
        "ends_of_gamma_swapped",
        ("discount_factor",),
        (
            "A gamma of 0 makes the agent plan far ahead.",
            "The closer gamma is to 1, the more short-sighted the agent becomes.",
            "With gamma near zero future rewards count fully, and near one only the next reward matters.",
        ),
        (
            "A gamma of 0 makes the agent look only at the next reward.",
            "The closer gamma is to 1, the further ahead the agent plans.",
            "A gamma close to 1 doesn't make the agent short-sighted.",
        ),
    ),
    Claim(
        "epsilon_is_exploitation",
        ("exploration_in_bandits",),
        (
            "Epsilon-greedy plays the best known arm with probability epsilon and a random arm otherwise.",
            "A bigger epsilon means you exploit more.",
            "With epsilon = 0 the strategy explores all the time.",
        ),
        (
            "Epsilon-greedy plays a random arm with probability epsilon and the best known arm otherwise.",
            "A bigger epsilon means you explore more and exploit less.",
            "Epsilon isn't the chance of picking the best arm, it's the chance of exploring.",
        ),
    ),
    Claim(
        "biased_but_quiet",
        ("reinforce",),
        (
            "REINFORCE has low variance, but its gradient is biased.",
            "The weakness of REINFORCE is its bias, the variance is small.",
            "Its gradient estimate is biased, though not very noisy.",
        ),
        (
            "REINFORCE has no bias, but its gradient has a high variance.",
            "The REINFORCE gradient is not biased, only noisy.",
            "A baseline that depends on the action would make the REINFORCE gradient biased.",
        ),
    ),
    Claim(
        "roles_swapped",
        ("why_actor_critic",),
        (
            "The critic chooses the actions and the actor tells it how good they were.",
            "The actor estimates the value function, while the critic is the policy.",
            "In actor-critic, the critic is what acts in the environment.",
        ),
        (
            "The actor chooses the actions and the critic tells it how good they were.",
            "The critic doesn't choose actions; it estimates the value function.",
            "With only a critic you have to search for the action that maximizes Q.",
        ),
    ),
    Claim(
        "advantage_formula_wrong",
        ("advantage_and_baseline",),
        (
            "The advantage is Q plus V.",
            "You compute A(s,a) = V(s) - Q(s,a).",
            "The advantage adds the state value to the action value.",
        ),
        (
            "The advantage is Q minus V.",
            "You compute A(s,a) = Q(s,a) - V(s).",
            "The critic's target is the advantage plus V.",
        ),
    ),
    Claim(
        "on_and_off_swapped",
        ("on_policy_off_policy_replay",),
        (
            "On-policy means that you may learn from data that some other policy collected.",
            "PPO is off-policy and DQN is on-policy.",
            "Off-policy methods only learn from samples of the current policy.",
        ),
        (
            "Off-policy means that you may learn from data that some other policy collected.",
            "PPO is on-policy and DQN is off-policy.",
            "On-policy methods can't use data that a different policy collected.",
        ),
    ),
    Claim(
        "takes_the_maximum",
        ("ppo_clipping",),
        (
            "PPO takes the max of the clipped and the unclipped term.",
            "The objective keeps whichever of the two terms is larger.",
            "Of r*A and the clipped version, the bigger one is used, so it is an optimistic bound.",
        ),
        (
            "PPO takes the min of the clipped and the unclipped term.",
            "The objective never takes the maximum of the two terms.",
            "PPO maximizes the minimum of the clipped and the unclipped objective.",
        ),
    ),
    Claim(
        "ratio_upside_down",
        ("ppo_clipping",),
        (
            "The ratio is the old policy's probability over the new one's.",
            "r = pi_old / pi_new for the sampled token.",
            "You divide the probability under the old policy by the probability under the current policy.",
        ),
        (
            "The ratio is the new policy's probability over the old one's.",
            "r = exp(new logprob - old logprob).",
            "You do not divide the old probability by the new one, but the other way around.",
        ),
    ),
    Claim(
        "directions_swapped",
        ("kl_cross_entropy_mle",),
        (
            "Forward KL is mode-seeking and reverse KL is mass-covering.",
            "Minimizing the reverse KL makes the model spread over all modes of the target.",
            "The forward KL lets the model settle on one mode and ignore the rest.",
        ),
        (
            "Forward KL is mass-covering and reverse KL is mode-seeking.",
            "Minimizing the forward KL makes the model spread over all modes of the target.",
            "Reverse KL isn't mass-covering, it may drop modes.",
        ),
    ),
    Claim(
        "weight_upside_down",
        ("importance_and_rejection_sampling",),
        (
            "The importance weight is the proposal density divided by the target density.",
            "Each sample gets the weight q(x)/p(x), where q is what I sampled from.",
            "You reweight by behavior over target probability.",
        ),
        (
            "The importance weight is the target density divided by the proposal density.",
            "Each sample gets the weight p(x)/q(x), where q is what I sampled from.",
            "It would be wrong to say that the weight is proposal over target.",
        ),
    ),
    Claim(
        "tensor_and_pipeline_swapped",
        ("kinds_of_parallelism",),
        (
            "Tensor parallelism puts different layers on different GPUs.",
            "Pipeline parallelism splits each weight matrix across the GPUs.",
            "In TP every GPU holds a block of consecutive layers, in PP the matrices are cut.",
        ),
        (
            "Tensor parallelism splits each weight matrix across the GPUs.",
            "Pipeline parallelism puts different layers on different GPUs.",
            "Tensor parallelism doesn't assign whole layers to GPUs, pipeline parallelism does.",
        ),
    ),
    Claim(
        "zero_stages_swapped",
        ("grpo_model_copies",),
        (
            "ZeRO-1 shards the weights and ZeRO-3 shards only the optimizer states.",
            "Stage 3 only partitions the optimizer state.",
            "ZeRO stage 1 splits the parameters, stage 2 the gradients and stage 3 the optimizer.",
        ),
        (
            "ZeRO-1 shards the optimizer states and ZeRO-3 shards the weights as well.",
            "Stage 3 doesn't only partition the optimizer state, it also partitions the weights.",
            "ZeRO stage 1 splits the optimizer state, stage 2 the gradients too, and stage 3 the parameters too.",
        ),
    ),
    Claim(
        "phases_swapped",
        ("kv_cache_transfer",),
        (
            "Prefill is memory-bound and decode is compute-bound.",
            "Decoding is limited by FLOPs, whereas prefill waits for memory bandwidth.",
            "During prefill the bottleneck is HBM bandwidth.",
        ),
        (
            "Prefill is compute-bound and decode is memory-bound.",
            "Decoding is limited by memory bandwidth, whereas prefill is limited by FLOPs.",
            "Prefill isn't memory-bound, decode is.",
        ),
    ),
    Claim(
        "formats_swapped",
        ("int8_and_fp8",),
        (
            "E5M2 has more precision and E4M3 has more range.",
            "E4M3 covers the wider range, so it is the one for gradients.",
            "E5M2 is the more precise of the two FP8 formats.",
        ),
        (
            "E4M3 has more precision and E5M2 has more range.",
            "E5M2 covers the wider range, so it is the one for gradients.",
            "E5M2 is not the more precise of the two FP8 formats.",
        ),
    ),
    Claim(
        "mla_is_grouped_heads",
        ("deepseek_from_v3_to_v3_2",),
        (
            "MLA is basically grouped-query attention.",
            "Multi-head latent attention shares a few KV heads between the query heads.",
        ),
        (
            "In absorbed form, MLA is multi-query attention with a single shared key-value head of dimension 576.",
            "MLA shares one latent vector across all heads.",
        ),
    ),
    Claim(
        "vocabulary_is_continuous",
        ("dqn_in_continuous_actions",),
        (
            "The same argument applies to language models.",
            "For language models it is the same problem, the vocabulary is far too large for the argmax.",
        ),
        ("The same argument applies to a language model only if the token is an input.",),
    ),
    Claim(
        "it_explores",
        ("dpo_reward_and_hacking",),
        (
            "DPO samples responses from the policy during training.",
            "DPO is a kind of online RL.",
        ),
        (
            "Online DPO samples from the policy and labels fresh pairs.",
            "In its online variant, DPO samples responses during training.",
        ),
    ),
    Claim(
        "scales_like_pretraining",
        ("challenges_of_distributed_rl",),
        (
            "With the same total batch, twice the GPUs give twice the speed.",
            "RL scales linearly with GPUs, like pretraining.",
        ),
        (
            "If the batch grows along with the GPUs, generation scales linearly.",
            "Generation scales linearly if the batch per GPU stays constant.",
        ),
    ),
    Claim(
        "same_weights_same_probs",
        ("verl_rollout_engines",),
        (
            "The same weights give identical log-probs.",
            "Log-probs are identical because engine and trainer hold the same weights.",
        ),
        ("With batch-invariant, bitwise identical kernels, the same weights do give identical log-probs.",),
    ),
    Claim(
        "same_thing_twice",
        ("exploration_training_and_test_time",),
        (
            "Test-time compute updates the weights of the model.",
            "Sample often enough and you find every answer.",
        ),
        (
            "Test-time training does change the weights for a query.",
            "If you sample often enough, you find every answer with p > 0.",
        ),
    ),
    Claim(
        "errors_average_out",
        ("verifiers_and_process_rewards",),
        (
            "The checker's errors average out over a large batch.",
            "Errors average out over many samples, even systematic ones.",
            "False positives are just noise, and noise cancels out over a group.",
        ),
        (
            "Random errors average out over many samples; systematic ones don't.",
            "Only random errors average out.",
            "Random noise averages out over a group, a systematic bias does not.",
            "Independent errors average out, shared ones do not.",
            "Unsystematic errors cancel out over the group.",
            "If the errors were independent, they would average out.",
            "With a large batch, random noise shrinks but systematic errors stay.",
        ),
    ),
    Claim(
        "longer_timeout",
        ("an_incident_in_training",),
        (
            "A longer timeout fixes a hang even if one rank never reaches the collective.",
            "If it hangs, I increase the NCCL timeout.",
            "We set the NCCL timeout to two hours, and the run went on without trouble.",
            "The solution was a longer timeout.",
            "I'd raise the NCCL timeout.",
        ),
        (
            "Raising the timeout would not have helped, since one rank never entered the collective.",
            "We raised the timeout only to get a flight recorder dump, not as a fix.",
            "At first we raised the timeout; that was the wrong turn.",
            "We increased the NCCL timeout, and the hang came back an hour later.",
            "If you raise the timeout, the ranks just wait longer.",
            "A longer timeout helps only if a rank is slow.",
        ),
    ),
    Claim(
        "integers_are_faster",
        ("int8_and_fp8",),
        (
            "INT8 is faster than FP8 on an H100, because integer arithmetic is cheaper.",
            "On an H100, INT8 has twice the throughput of FP8.",
            "FP8 is slower than INT8 on the tensor cores of a B200.",
        ),
        (
            "On A100, INT8 has a speed advantage, on H100 the rates are the same.",
            "Speed is an argument for INT8 only on Ampere and older GPUs.",
            "On GPUs without FP8, INT8 is faster.",
            "On an H100, INT8 is twice as fast as BF16, and so is FP8.",
        ),
    ),
    Claim(
        "version_is_a_step",
        ("async_frameworks_compared",),
        (
            "A version is always one optimizer step.",
            "One version is one optimizer step in every framework.",
            "One version is one training step, in AReaL and everywhere else.",
        ),
        ("For AReaL's eta, one version is one training step.",),
    ),
    Claim(
        "zero1_divides_everything",
        ("grpo_model_copies",),
        (
            "ZeRO-1 divides everything by the number of GPUs.",
            "ZeRO-1 cuts the whole actor into eight pieces.",
            "Even ZeRO-1 brings the actor down to 14 GB.",
        ),
        (
            "For a 7B actor on 8 ranks, that is 38.5 GB per rank with ZeRO-1 and 14 GB with full sharding.",
            "With ZeRO-1, 14 GB of weights and 14 GB of gradients are on each rank.",
            "ZeRO-1 shards the optimizer states, ZeRO-3 shards everything.",
        ),
    ),
    Claim(
        "rl_creates_from_nothing",
        ("where_reasoning_emerges",),
        (
            "RL creates reasoning from nothing.",
            "Reasoning emerges only in the RL stage.",
            "RL alone produces the reasoning.",
        ),
        (
            "Evidence that reasoning comes from RL is that R1-Zero improved without fine-tuning.",
            "RL sharpens what the base model can do and makes it dependable.",
        ),
    ),
    Claim(
        "always_multiplied",
        ("loss_all_reduced_twice",),
        (
            "Each all-reduce multiplies the gradient by the world size.",
            "It doesn't matter which call it is: every all-reduce multiplies the gradient by the number of ranks.",
            "With 8 GPUs, two calls give 64 times the gradient.",
        ),
        (
            "With the differentiable sum, the gradient is W^2 = 16 times too large.",
            "With torch.distributed.nn, each call multiplies the gradient by the world size.",
            "Two differentiable calls on 8 ranks give 64 times the gradient.",
        ),
    ),
    Claim(
        "extremes_swapped",
        ("bias_and_variance_of_returns",),
        (
            "Monte Carlo is the biased one.",
            "The Monte Carlo return is biased because it only sees one trajectory.",
        ),
        (
            "Every-visit Monte Carlo is biased but consistent.",
            "With weighted importance sampling, the Monte Carlo estimate is biased.",
        ),
    ),
    Claim(
        "zero_state_is_fine",
        ("markov_property_and_partial_observability",),
        (
            "Initializing with zeros is fine.",
            "Starting from zero works fine, even without burn-in.",
        ),
        (
            "A zero state with burn-in works fairly well.",
            "Starting from a zero state works fairly well if there is a burn-in.",
        ),
    ),
)


def _cases(kind: str) -> list[object]:
    return [
        pytest.param(name, claim.misconception, answer, id=f"{name}-{claim.misconception}-{number}")
        for claim in CLAIMS
        for name in claim.questions
        for number, answer in enumerate(getattr(claim, kind), start=1)
    ]


@pytest.fixture(scope="module")
def questions() -> dict[str, Question]:
    return {question.id: question for question in load_questions()}


def _assess(question: Question, answer: str) -> Assessment:
    return OfflineExaminer().assess(question, question.prompt, answer)


@pytest.mark.parametrize(("name", "misconception", "answer"), _cases("wrong"))
def test_wrong_claim_is_heard_and_earns_nothing(
    questions: dict[str, Question], name: str, misconception: str, answer: str
) -> None:
    assessment = _assess(questions[name], answer)

    assert misconception in {belief.id for belief in assessment.misconceptions}
    earned = {point.id for point in assessment.points if point.state in (State.SHOWN, State.PARTIAL)}
    assert not earned


@pytest.mark.parametrize(("name", "misconception", "answer"), _cases("right"))
def test_right_claim_or_denial_is_not_heard_as_wrong(
    questions: dict[str, Question], name: str, misconception: str, answer: str
) -> None:
    assessment = _assess(questions[name], answer)

    assert misconception not in {belief.id for belief in assessment.misconceptions}


@pytest.mark.recorded(subject_of=whole_bank)
def test_no_point_and_no_answer_of_a_question_states_one_of_its_misconceptions(questions: dict[str, Question]) -> None:
    texts = [
        (question, text)
        for question in questions.values()
        for text in (*(point.says for point in question.points), *(rung.answer for rung in question.rungs))
    ]

    assert len(texts) > 1000
    heard = [(question.id, belief) for question, text in texts for belief in hear(question, "", text).beliefs]
    assert heard == []


@pytest.mark.parametrize("name", ["overestimation_and_double_dqn", "q_learning_and_dqn"])
@pytest.mark.parametrize(
    "answer",
    [
        "The target network selects the action, the online network evaluates it.",
        "Double DQN decouples selection from evaluation: the target network selects and the online network evaluates.",
        "One network chooses and the other evaluates: the target network chooses, the online network evaluates.",
    ],
)
def test_swapped_networks_of_double_dqn_earn_nothing(questions: dict[str, Question], name: str, answer: str) -> None:
    """Each of these wordings was once credited as right in at least one of the questions."""
    states = {point.state for point in _assess(questions[name], answer).points}

    assert states <= {State.MISSING, State.CONTRADICTED}
